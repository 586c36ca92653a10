import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { describePostgres, newDatabase, ownPostgres } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { baseConfig, counter, type FleetProcesses, type ReplicaProcess, startFleet, startReplica } from './replicas.mjs'

const leaseMs = 2000
const config = baseConfig({ sources: { counter: counter() } })
let open: { dispose(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.dispose()
  open = []
})

/** A request of the modern era: every replica answers it by itself. */
const ask = async (url: string, method: string, params: object): Promise<Record<string, never>> => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {}
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  return (await answer.json()) as Record<string, never>
}

const count = async ({ url }: Pick<ReplicaProcess, 'url'>): Promise<{ count: number; pid: number }> => {
  const answer = await ask(url, 'tools/call', { name: 'counter.count', arguments: {} })
  const text = (answer as { result?: { content?: { text: string }[] } }).result?.content?.[0]?.text
  expect(text, JSON.stringify(answer)).toMatch(/^\{"count"/)
  return JSON.parse(text!)
}

const listed = async ({ url }: Pick<ReplicaProcess, 'url'>): Promise<string[]> => {
  const { result } = (await ask(url, 'tools/list', {})) as unknown as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name)
}

/** Three of them, each of which has listed the tools of the one child. */
const started = async (url: string): Promise<FleetProcesses> => {
  const fleet = await startFleet({ url, config, leaseMs, drainMs: 500 })
  open.push(fleet)
  await fleet.ready()
  await Promise.all(fleet.replicas.map(listed))
  return fleet
}

const heldHere = 'Held here: source:counter'
const holderOf = ({ replicas }: FleetProcesses): ReplicaProcess =>
  replicas.find((replica) => replica.log().includes(heldHere))!

const cli = ({ folder, file }: ReplicaProcess, ...args: string[]) =>
  runCli(['fleet', ...args, '--config', file], { cwd: folder, home: folder })

const view = async (replica: ReplicaProcess) => {
  const { stdout } = await cli(replica, '--json')
  return JSON.parse(stdout) as {
    replicas: { name: string; state: string; address: string; lives: boolean }[]
    leases: { name: string; holder: string; epoch: number; isFree: boolean }[]
  }
}

describePostgres('a child of three replicas', () => {
  it('is one process, whichever replica is asked, and moves when its holder is killed or leaves', async () => {
    const fleet = await started(await newDatabase())
    const counted: { count: number; pid: number }[] = []
    for (let n = 0; n < 9; n++) counted.push(await count(fleet.replicas[n % 3]!))
    expect(counted.map((each) => each.count)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(new Set(counted.map(({ pid }) => pid)).size).toBe(1)

    const first = holderOf(fleet)
    const others = fleet.replicas.filter((replica) => replica !== first)
    const before = await Promise.all(others.map(listed))
    await first.stop('SIGKILL')
    // They wait for the next holder instead of failing, and nothing they list goes away meanwhile.
    const [one, two, ...lists] = await Promise.all([count(others[0]!), count(others[1]!), ...others.map(listed)])
    expect(one!.pid).toBe(two!.pid)
    expect(one!.pid).not.toBe(counted[0]!.pid)
    expect(lists).toEqual(before)

    const second = others.find((replica) => replica.log().includes(heldHere))!
    const last = others.find((replica) => replica !== second)!
    const left = second.stop('SIGTERM')
    await last.logged(heldHere)
    const third = await count(last)
    expect(third.pid).not.toBe(one!.pid)
    expect(await left).toBe(0)
    const { replicas, leases } = await view(last)
    expect(leases.find(({ name }) => name === 'source:counter')).toMatchObject({ holder: last.name, epoch: 3 })
    // Who left has taken its name with it; who was killed is only silent.
    expect(replicas.find(({ name }) => name === second.name)).toBeUndefined()
    expect(replicas.find(({ name }) => name === last.name)).toMatchObject({ state: 'ready', address: last.url })
  }, 120_000)

  it('stays where it is over a restart of the database', async () => {
    await using postgres = await ownPostgres()
    const fleet = await started(postgres.url())
    const before = await Promise.all(fleet.replicas.map(count))
    await postgres.halt('immediate')
    const meanwhile = await Promise.all(fleet.replicas.map(count))
    await postgres.start()
    // Until everybody was heard of again.
    const isBack = async () => (await view(fleet.replicas[0]!)).replicas.filter(({ lives }) => lives).length === 3
    while (!(await isBack().catch(() => false)));
    const after = await Promise.all(fleet.replicas.map(count))
    expect(new Set([...before, ...meanwhile, ...after].map(({ pid }) => pid)).size).toBe(1)
    expect((await view(fleet.replicas[0]!)).leases).toContainEqual({
      name: 'source:counter',
      holder: holderOf(fleet).name,
      epoch: 1,
      isFree: false,
    })
  }, 120_000)

  it('is not answered for by a holder that was stopped and woke', async () => {
    const fleet = await started(await newDatabase())
    const first = holderOf(fleet)
    const others = fleet.replicas.filter((replica) => replica !== first)
    const old = await count(first)
    first.child.kill('SIGSTOP')
    await Promise.race(others.map((replica) => replica.logged(heldHere)))
    const next = await count(others[0]!)
    expect(next.pid).not.toBe(old.pid)
    // Sent while it stands still: it is the first thing that it finds when it wakes.
    const waiting = count(first)
    first.child.kill('SIGCONT')
    expect((await waiting).pid).toBe(next.pid)
    await first.logged('No longer held here: source:counter')
  }, 120_000)

  it('goes to another replica when an operator takes it away', async () => {
    const fleet = await started(await newDatabase())
    const first = holderOf(fleet)
    const before = await count(first)
    const { stdout } = await cli(first, 'release', 'counter', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ released: 'source:counter', holder: first.name })
    await first.logged('No longer held here: source:counter')
    const after = await count(first)
    expect(after.pid).not.toBe(before.pid)
    const wrong = await cli(first, 'release', 'conter')
    expect(wrong.code).not.toBe(0)
    expect(wrong.stderr).toContain('source:counter')
  }, 120_000)
})

describePostgres('a replica', () => {
  it('is refused under a name that lives, and with another secret', async () => {
    const url = await newDatabase()
    const first = await startReplica({ url, config, name: 'one', leaseMs })
    open.push(first)
    await first.ready()
    await expect(startReplica({ url, config, name: 'one', leaseMs })).rejects.toThrow(/FLEET_NAME_TAKEN/)
    const secret = 'another secret, which nobody else in it has'
    await expect(startReplica({ url, config, name: 'two', leaseMs, secret })).rejects.toThrow(/FLEET_SECRET_DIFFERS/)
    const killed = once(first.child, 'exit')
    first.child.kill('SIGKILL')
    await killed
    // A process that ended without a word is only heard of for one lease.
    const again = await startReplica({ url, config, name: 'one', leaseMs })
    open.push(again)
    await again.ready()
  }, 120_000)
})
