import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cliPath, runCli } from '../helpers/run-cli.js'
import { serveCli } from './serve-cli.js'

// Compiled before any test counts its time.
beforeAll(() => void cliPath(), 120_000)

const ref = (body: string): string => `\${${body}}`

describe('a secret that the file names (T23, F28)', () => {
  let home: string
  let server: Server
  let url: string
  const seen = new Set<string>()
  let look: () => void = () => {}
  const untilSeen = (header: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => seen.has(header) && resolve()
      look()
    })
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-references-'))
    seen.clear()
    server = createServer((request, response) => {
      seen.add(String(request.headers['x-key']))
      look()
      response.writeHead(500).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    rmSync(home, { recursive: true, force: true })
  })
  const write = (sources: object): void => writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources }))
  const writeKey = (text: string): void => writeFileSync(join(home, 'key'), text, { mode: 0o600 })

  it('is sent to its server, and anew when its file has changed', async () => {
    writeKey('canary-first\n')
    write({ docs: { type: 'http', url, headers: { 'X-Key': ref('file:key') } } })
    const served = await serveCli(home)
    try {
      await untilSeen('canary-first')
      writeKey('canary-second\n')
      await untilSeen('canary-second')
      expect([...seen]).toEqual(['canary-first', 'canary-second'])
    } finally {
      await served.stop()
    }
  })

  it('is printed by a program, and shown by no command', async () => {
    writeFileSync(join(home, 'tell.mjs'), `console.log('canary-' + process.argv[2])`)
    write({
      docs: { type: 'http', url, headers: { 'X-Key': ref(`cmd:"${process.execPath}" tell.mjs told`) } },
      other: { type: 'http', url, headers: { 'X-Key': ref('cmd:no-such-helper') } },
    })
    const served = await serveCli(home)
    try {
      await untilSeen('canary-told')
      const [sources, shown] = await Promise.all([
        runCli(['list', '--sources', '--json'], { cwd: home, home }),
        runCli(['config', 'show'], { cwd: home, home }),
      ])
      expect(sources.stdout).toContain("no program 'no-such-helper'")
      expect(sources.stdout + sources.stderr + shown.stdout + shown.stderr).not.toContain('canary-told')
    } finally {
      await served.stop()
    }
  })

  it('is looked for in the keychain, which says what it lacks', async () => {
    const tool = join(home, process.platform === 'darwin' ? 'security' : 'secret-tool')
    writeFileSync(tool, `#!${process.execPath}\nconsole.log('canary-kept')`)
    chmodSync(tool, 0o755)
    write({ docs: { type: 'http', url, headers: { 'X-Key': ref('keychain:docs/me') } } })
    const options = { cwd: home, home }
    const without = await runCli(['check'], { ...options, env: { PATH: join(home, 'nowhere') } })
    expect(without.code).toBe(6)
    const within = await runCli(['check'], { ...options, env: { PATH: home } })
    expect(within.code).toBe(0)
    expect(within.stdout + within.stderr).not.toContain('canary')
  })
})
