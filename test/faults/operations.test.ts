import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { faultServer, type GatewayProcess, startGateway, untilListed } from '../helpers/gateway-process.js'
import { ask, parseAnswer, sendRaw } from '../helpers/raw-http.js'
import { bareEnv, runCli } from '../helpers/run-cli.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const start = async (config: object): Promise<GatewayProcess & { readonly port: number; readonly origin: string }> => {
  const gateway = await startGateway(config)
  cleanup.push(gateway.dispose)
  const { port, origin } = new URL(gateway.url)
  return { ...gateway, port: Number(port), origin }
}

const raw = { type: 'stdio', ...fixtureCommand('stdio-raw') }
const strange = ['Host: 10.1.2.3:30080']

describe('probes', () => {
  it('answer a balancer under its own name, and tell it nothing else (O1)', async () => {
    const { port } = await start({ sources: { a: raw } })
    for (const path of ['/healthz', '/readyz', '/readyz?verbose=1']) {
      const answer = await ask(port, `GET ${path}`, strange)
      expect([answer.status, answer.body]).toEqual([200, '{"ok":true}'])
      expect((await ask(port, `HEAD ${path}`, strange)).status).toBe(200)
      // Some balancers speak HTTP/1.0 and name nobody.
      expect(parseAnswer(await sendRaw(port, `GET ${path} HTTP/1.0\r\n\r\n`)).body).toBe('{"ok":true}')
      // A page of a foreign site is no balancer.
      expect((await ask(port, `GET ${path}`, [...strange, 'Origin: http://evil.example'])).status).toBe(403)
    }
    for (const path of ['/api/v1/tools', '/healthz/x', '//readyz', '/metrics', '/'])
      expect((await ask(port, `GET ${path}`, strange)).status).toBe(403)
    expect((await ask(port, 'POST /readyz', strange)).status).toBe(403)
  })

  it('say ready while a source hangs at its start, and tell those who may list sources how they are (O2)', async () => {
    const { port, origin } = await start({ sources: { silent: faultServer('silent') } })
    const ready = await fetch(`${origin}/readyz`)
    expect(ready.status).toBe(200)
    expect(await ready.json()).toMatchObject({
      ok: true,
      state: 'ready',
      sources: [{ name: 'silent', state: 'starting' }],
    })
    expect((await ask(port, 'GET /readyz', [`Host: localhost:${port}`, 'X-Api-Key: rtk_wrong'])).body).toBe(
      '{"ok":true}',
    )
  })
})

describe('the end of a gateway behind a balancer', () => {
  it('is announced by /readyz at once, while everything is served on, and running calls finish (O3)', async () => {
    // Long enough for what follows on a busy machine.
    const gateway = await start({ sources: { a: raw }, server: { drainMs: 8000 } })
    const { client, origin } = gateway
    await untilListed(client, ['a'])
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    const pid = Number((await client.call('a.pid', {})).text)
    let told = () => {}
    const begun = new Promise<void>((resolve) => {
      told = resolve
    })
    const running = client.call('a.steps', { key: 'k' }, { onProgress: () => told() })
    await begun
    gateway.child.kill('SIGTERM')
    await gateway.logged('Draining: ')
    const ready = await fetch(`${origin}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { ok: false, state: 'draining' }])
    const late = await fetch(`${origin}/api/v1/tools/a.echo/call`, { method: 'POST' })
    expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    await gateway.logged('Stopping: SIGTERM')
    process.kill(pid, 'SIGUSR2')
    expect((await running).text).toBe('done')
    expect(await gateway.exited).toBe(0)
  })

  it.each([
    ['SIGINT', true],
    ['SIGTERM', false],
  ] as const)('by %s does not wait for anybody, readiness asked for or not (O3)', async (signal, asked) => {
    const gateway = await start({ server: { drainMs: 600_000 } })
    if (asked) await fetch(`${gateway.origin}/readyz`)
    gateway.child.kill(signal)
    expect(await gateway.exited).toBe(0)
    expect(gateway.log()).not.toContain('Draining')
  })

  it('comes at once with a second signal (O3)', async () => {
    const gateway = await start({ server: { drainMs: 600_000 } })
    await fetch(`${gateway.origin}/readyz`)
    gateway.child.kill('SIGTERM')
    await gateway.logged('Draining: ')
    gateway.child.kill('SIGTERM')
    expect(await gateway.exited).toBe(1)
  })
})

describe('a start', () => {
  const newHome = () => {
    const home = mkdtempSync(join(tmpdir(), 'pegboard-start-'))
    cleanup.push(() => rmSync(home, { recursive: true, force: true }))
    return home
  }

  it.runIf(process.platform === 'linux').each([
    ['/proc/pegboard', 'json'],
    ['/proc/1/deep/down', 'sqlite'],
  ])('in %s, which takes no folders, ends with a code and a next step (%s)', async (folder, backend) => {
    const home = newHome()
    const args = ['serve', '--port', '0', '--data-path', folder, '--storage-backend', backend]
    const { code, stderr } = await runCli(args, { cwd: home, home })
    expect(code).not.toBe(0)
    expect(stderr).toContain(`Cannot make the folder ${folder}`)
    expect(stderr).toContain('Choose another path (--data-path)')
  })

  it('that never ends, as on a disk that does not answer, is ended by SIGTERM', async () => {
    const home = newHome()
    const hook = join(home, 'dead-disk.mjs')
    writeFileSync(
      hook,
      `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const never = () => (process.stderr.write('the disk is asked\\n'), new Promise(() => setInterval(() => {}, 1000)))
      for (const name of ['open', 'stat', 'lstat', 'readFile', 'readdir', 'mkdir']) {
        const real = fs.promises[name]
        // From when the program hears signals: it is starting then.
        fs.promises[name] = (...args) => (process.listenerCount('SIGTERM') > 0 ? never() : real(...args))
      }
      syncBuiltinESMExports()`,
    )
    const args = ['--import', pathToFileURL(hook).href, builtCli(), 'serve', '--port', '0']
    const child = spawn(process.execPath, args, { cwd: home, env: bareEnv(home) })
    await once(child.stderr, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})
