import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import {
  childrenOf,
  faultServer,
  type GatewayProcess,
  pidOf,
  startGateway,
  toConfig,
  untilGone,
  untilListed,
} from '../helpers/gateway-process.js'

const raw = (mark: string) => ({ type: 'stdio', ...fixtureCommand('stdio-raw'), env: { MARK: mark } })

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const start = async (sources: object): Promise<GatewayProcess> => {
  const gateway = await startGateway({ sources })
  cleanup.push(gateway.dispose)
  return gateway
}

describe('a source that crashes', () => {
  it('gives the caller a coded error in the middle of a call, and is back soon after', async () => {
    const { client } = await start({ a: raw('a'), b: raw('b') })
    await untilListed(client, ['a', 'b'])
    const [before, other] = [await pidOf(client, 'a'), await pidOf(client, 'b')]
    const crashed = await client.call('a.crash', {})
    expect(crashed).toMatchObject({ isError: true, text: expect.stringContaining('exit code 3') })
    // Refused until it is there again, with the reason; never answered by anybody else.
    let after = before
    while (after === before || Number.isNaN(after)) after = await pidOf(client, 'a')
    expect(after).not.toBe(before)
    expect(await pidOf(client, 'b')).toBe(other)
  })
})

describe('the end of the gateway', () => {
  it('F14 by kill -9 leaves no child, not even one that ignores SIGTERM or never answered', async () => {
    const gateway = await start({ a: raw('a'), b: raw('b'), silent: faultServer('silent', 'stubborn') })
    await untilListed(gateway.client, ['a', 'b'])
    const children = childrenOf(gateway.pid)
    expect(children).toEqual(
      expect.arrayContaining([await pidOf(gateway.client, 'a'), await pidOf(gateway.client, 'b')]),
    )
    expect(children.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 4 : 2)
    gateway.child.kill('SIGKILL')
    expect(await gateway.exited).toBe('SIGKILL')
    await untilGone(children)
  })

  it('F23 by SIGTERM lets a running call end, takes no new one, ends the children and exits 0', async () => {
    const gateway = await start({ a: raw('a') })
    const { client } = gateway
    await untilListed(client, ['a'])
    const pid = await pidOf(client, 'a')
    const heard: number[] = []
    let told = () => {}
    const running = client.call(
      'a.steps',
      { key: 'k' },
      {
        onProgress: (value) => {
          heard.push(value)
          told()
        },
      },
    )
    // Awaited below; should an assertion fail before that, it must not look like a second failure.
    running.catch(() => {})
    while (heard.length < 2) await new Promise<void>((resolve) => (told = resolve))
    gateway.child.kill('SIGTERM')
    await gateway.logged('Stopping: SIGTERM')
    // From some moment on: the port closes to newcomers after the goodbyes.
    const late = () => rawOverHttp('modern', gateway.url).then((each) => each.list())
    await expect
      .poll(() =>
        late().then(
          () => 'let in',
          () => 'refused',
        ),
      )
      .toBe('refused')
    process.kill(pid, 'SIGUSR2')
    expect((await running).text).toBe('done')
    expect(await gateway.exited).toBe(0)
    await untilGone([pid])
  })

  it('F23 by SIGTERM is not held up by a source that never answers', async () => {
    const gateway = await start({ a: raw('a'), silent: faultServer('silent') })
    await untilListed(gateway.client, ['a'])
    const children = childrenOf(gateway.pid)
    gateway.child.kill('SIGTERM')
    // Past ten seconds it would leave with 1 and say so.
    expect(await gateway.exited).toBe(0)
    await untilGone(children)
  })

  it('F24 comes with the end of a stdio client’s pipe, and takes the children along', async () => {
    const { client, pid } = await overStdio()
    await client.close()
    await untilGone([pid])
  })

  it('F24 comes with the death of a stdio client, and takes the children along', async () => {
    const args = stdioArgs()
    // A client in between that can be killed: it starts the gateway, hands lines on and names its pid.
    const program = `
      const { spawn } = require('node:child_process')
      const gateway = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'ignore'] })
      process.stdin.pipe(gateway.stdin)
      gateway.stdout.pipe(process.stdout)
      console.log(gateway.pid)`
    const parent = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
    const gatewayPid = Number((await lines.next()).value)
    const send = (id: number, method: string, params = {}) =>
      parent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    let pid = Number.NaN
    for (let id = 1; Number.isNaN(pid); id++) {
      send(id, 'tools/call', { name: 'a.pid', arguments: {} })
      let answer: { id?: number; result?: { isError?: boolean; content: { text: string }[] } } = {}
      while (answer.id !== id) answer = JSON.parse((await lines.next()).value)
      if (answer.result && !answer.result.isError) pid = Number(answer.result.content[0]!.text)
    }
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await untilGone([gatewayPid, pid])
  })
})

const stdioArgs = (): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-faults-'))
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, toConfig({ sources: { a: raw('a') } }))
  return [builtCli(), 'stdio', '--config', file, '--data-path', folder]
}

const overStdio = async () => {
  const client = await rawOverStdio('legacy', process.execPath, stdioArgs())
  cleanup.push(client.close)
  await untilListed(client, ['a'])
  return { client, pid: await pidOf(client, 'a') }
}
