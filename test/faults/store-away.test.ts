import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { freePort } from '../helpers/free-port.js'
import { startGateway } from '../helpers/gateway-process.js'
import { describePostgres, ownPostgres } from '../helpers/postgres.js'
import { ask } from '../helpers/raw-http.js'
import { bareEnv } from '../helpers/run-cli.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const patient = { interval: 50, timeout: 60_000 }
const statusAt = (port: number, path: string): Promise<number> =>
  ask(port, `GET ${path}`, ['Host: 10.1.2.3:30080']).then(
    ({ status }) => status,
    () => 0,
  )

/** `pegboard serve` on a database, as a process that may never come to listen. */
const serve = (url: string, port: number, env: Record<string, string> = {}) => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-away-'))
  cleanup.push(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ storage: { backend: 'postgres', url } }))
  const child = spawn(process.execPath, [builtCli(), 'serve', '--json', '--port', String(port)], {
    cwd: home,
    env: bareEnv(home, env),
  })
  cleanup.push(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  return { child, exited, said: () => said }
}

describePostgres('a gateway whose database is away at its start', () => {
  it('listens at once, says what it waits for, and serves when the database is there', {
    timeout: 180_000,
  }, async () => {
    await using postgres = await ownPostgres()
    const url = await postgres.createDatabase('late')
    await postgres.halt('fast')
    const port = await freePort()
    const starting = startGateway({ storage: { backend: 'postgres', url } }, { port, greet: false })
    cleanup.push(async () => (await starting).dispose())
    await expect.poll(() => statusAt(port, '/healthz'), patient).toBe(200)
    expect(await statusAt(port, '/readyz')).toBe(503)
    for (const [language, words] of [
      ['en', 'waits for its database'],
      ['zh-CN', '数据库暂时不可用'],
    ] as const) {
      const headers = [`Host: localhost:${port}`, `Accept-Language: ${language}`]
      for (const target of ['GET /', 'GET /api/v1/tools', 'DELETE /mcp', 'GET /nowhere']) {
        const answer = await ask(port, target, headers)
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2'])
        expect(JSON.parse(answer.body).error).toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining(words),
        })
        // Strangers are not told where it is.
        expect(answer.body).not.toContain(String(postgres.port))
      }
    }
    await postgres.start()
    const gateway = await starting
    expect(new URL(gateway.url).port).toBe(String(port))
    expect(await statusAt(port, '/readyz')).toBe(200)
    expect((await fetch(new URL('/api/v1/tools', gateway.url))).status).toBe(200)
    // Once, however often it tried.
    expect(gateway.log().match(/Waiting for the database/g)).toHaveLength(1)
    // From here on the database may come and go: who serves stays ready.
    await postgres.halt('immediate')
    expect([await statusAt(port, '/readyz'), await statusAt(port, '/healthz')]).toEqual([200, 200])
    expect((await fetch(new URL('/api/v1/tools', gateway.url))).status).toBe(200)
    await postgres.start()
  })

  it('ends at once when told to, with nothing to end', { timeout: 120_000 }, async () => {
    const port = await freePort()
    const { child, exited, said } = serve(`postgres://nobody:hidden-word@127.0.0.1:${await freePort()}/none`, port)
    await expect.poll(() => statusAt(port, '/healthz'), patient).toBe(200)
    await expect.poll(said, patient).toContain('Waiting for the database')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    expect(said()).not.toContain('hidden-word')
  })

  it('does not wait where waiting would not help', { timeout: 180_000 }, async () => {
    await using postgres = await ownPostgres()
    const good = new URL(await postgres.createDatabase('there'))
    const missing = new URL(good)
    missing.pathname = '/missing'
    for (const url of [missing.href, 'mysql://127.0.0.1/x', 'postgres://']) {
      const { exited, said } = serve(url, await freePort())
      expect(await exited, said()).not.toBe(0)
      expect(said()).not.toContain('Waiting for the database')
      expect(said()).toMatch(/storage\.url|createdb|There is no such database|no such database/i)
    }
  })
})
