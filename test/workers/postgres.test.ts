import { afterEach, expect, it } from 'vitest'
import { freePort } from '../helpers/free-port.js'
import { type GatewayProcess, isAlive, startGateway } from '../helpers/gateway-process.js'
import { describePostgres, newDatabase, ownPostgres } from '../helpers/postgres.js'
import { ask } from '../helpers/raw-http.js'
import { runCli } from '../helpers/run-cli.js'
import { callAt, childrenOf, echoSource, isEcho, patient, startWorkers, workersOf } from './workers.js'

const cleanup: (() => unknown)[] = []

afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const secret = 'a secret of the fleet that only tests know'
const configOf = (url: string, replica: string) => ({
  storage: { backend: 'postgres', url, connections: 3 },
  fleet: { secret, replica, leaseMs: 5000 },
  sources: { up: echoSource },
})

const started = async (starting: Promise<GatewayProcess>): Promise<GatewayProcess> => {
  const gateway = await starting
  cleanup.push(gateway.dispose)
  return gateway
}

interface Seen {
  readonly replicas: readonly { readonly name: string; readonly state: string; readonly lives: boolean }[]
  readonly leases: readonly { readonly name: string; readonly holder?: string }[]
}

const cli = ({ folder, file }: GatewayProcess, ...args: string[]) =>
  runCli([...args, '--config', file], { cwd: folder, home: folder })
const fleetOf = async (gateway: GatewayProcess): Promise<Seen> =>
  JSON.parse((await cli(gateway, 'fleet', '--json')).stdout)
const holderIn = async (gateway: GatewayProcess): Promise<string | undefined> =>
  (await fleetOf(gateway)).leases.find(({ name }) => name === 'source:up')?.holder

const echoesAt = async (worker: number, { url }: GatewayProcess): Promise<void> => {
  await expect.poll(() => callAt(worker, url, 'up.echo', { text: 'hello' }), patient).toMatch(/^200 .*"hello"/)
}
describePostgres('the workers of a gateway on PostgreSQL', () => {
  it('are replicas, as is another gateway beside them: one child for all, which moves when its holder is gone', {
    timeout: 180_000,
  }, async () => {
    const url = await newDatabase()
    const many = await started(startWorkers(configOf(url, 'many')))
    const single = await started(startGateway(configOf(url, 'single')))
    const names = async () => (await fleetOf(many)).replicas.filter(({ lives }) => lives).map(({ name }) => name)
    await expect.poll(async () => (await names()).sort(), patient).toEqual(['many', 'many.1', 'many.2', 'single'])
    for (const worker of workersOf(many)) await echoesAt(worker, many)
    const overSingle = async () => (await single.client.call('up.echo', { text: 'hello' })).text
    await expect.poll(overSingle, patient).toBe('hello')
    const children = () => [many.pid, ...workersOf(many), single.pid].flatMap(childrenOf).filter(isEcho)
    expect(children()).toHaveLength(1)
    // Each is found where it says.
    const { stdout } = await cli(many, 'doctor')
    for (const name of await names()) expect(stdout).toContain(`${name} answers at http://127.0.0.1:`)
    // The whole machine of whoever holds it goes: the rest go on.
    const holder = await holderIn(many)
    if (holder === 'single') {
      single.child.kill('SIGKILL')
      await single.exited
      for (const worker of workersOf(many)) await echoesAt(worker, many)
    } else {
      many.child.kill('SIGKILL')
      await many.exited
      await expect.poll(overSingle, patient).toBe('hello')
    }
  })

  it('end at a signal with nothing failed: what the one that holds the child answers goes on elsewhere', {
    timeout: 180_000,
  }, async () => {
    const url = await newDatabase()
    const gateway = await started(startWorkers({ ...configOf(url, 'many'), server: { drainMs: 1500 } }))
    const workers = workersOf(gateway)
    for (const worker of workers) await echoesAt(worker, gateway)
    const client = gateway.client
    const outcomes: string[] = []
    let isOver = false
    const calling = (async () => {
      while (!isOver)
        outcomes.push(
          await client.call('up.echo', { text: 'hello' }).then(
            ({ text }) => text,
            (error: Error) => {
              isOver = true
              return `refused: ${error.message}`
            },
          ),
        )
    })()
    await expect.poll(() => outcomes.length, patient).toBeGreaterThan(20)
    gateway.child.kill('SIGTERM')
    expect(await gateway.exited).toBe(0)
    isOver = true
    await calling
    // The last may have come after the door was shut.
    expect(outcomes.slice(0, -1).filter((text) => text !== 'hello')).toEqual([])
    expect(workers.filter(isAlive)).toEqual([])
  })

  it('are started when the database is there; until then the port is open, alive and not ready', {
    timeout: 180_000,
  }, async () => {
    await using postgres = await ownPostgres()
    const url = await postgres.createDatabase('late')
    await postgres.halt('fast')
    const port = await freePort()
    const starting = startGateway({ ...configOf(url, 'late'), server: { workers: 2 } }, { port })
    cleanup.push(async () => (await starting).dispose())
    const statusOf = (path: string): Promise<number> =>
      ask(port, `GET ${path}`, [`Host: localhost:${port}`]).then(
        ({ status }) => status,
        () => 0,
      )
    await expect.poll(() => statusOf('/healthz'), patient).toBe(200)
    expect([await statusOf('/readyz'), await statusOf('/api/v1/tools')]).toEqual([503, 503])
    await postgres.start()
    const gateway = await starting
    expect(new URL(gateway.url).port).toBe(String(port))
    expect(workersOf(gateway)).toHaveLength(2)
    for (const worker of workersOf(gateway)) await echoesAt(worker, gateway)
    await expect.poll(() => statusOf('/readyz'), patient).toBe(200)
    expect(gateway.log().match(/Waiting for the database/g)).toHaveLength(1)
    // From here on it may come and go.
    await postgres.halt('immediate')
    for (const worker of workersOf(gateway)) await echoesAt(worker, gateway)
    await postgres.start()
  })
})
