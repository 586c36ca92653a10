import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, type CliRun, cliPath, runCli } from '../helpers/run-cli.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { serveCli } from './serve-cli.js'

/** `pegboard auth` with somebody who follows its link as soon as it is printed. */
describe('pegboard auth', () => {
  let home: string
  let far: SignInServers
  beforeAll(async () => {
    far = await startSignInServers()
    home = mkdtempSync(join(tmpdir(), 'pegboard-auth-'))
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources: { docs: { type: 'http', url: far.url } } }))
  })
  afterAll(async () => {
    await far[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  const pegboard = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: home, home })
  const signIn = (...args: readonly string[]): Promise<CliRun> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [cliPath(), 'auth', ...args], { cwd: home, env: bareEnv(home) })
      let [stdout, stderr, followed] = ['', '', false]
      child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk))
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk
        const link = /http:\/\/[^\s"]+state=[\w-]{43}/.exec(stdout)?.[0]
        if (link === undefined || followed) return
        followed = true
        // As a browser does: to the server, and from there back to where it says.
        void fetch(link).then((page) => page.text())
      })
      child.on('close', (code) => resolve({ code, stdout, stderr }))
    })

  it('names the next step, signs in by itself where no gateway runs, and others use it', async () => {
    expect((await pegboard('list')).stderr).toContain('pegboard auth docs')
    const { code, stdout } = await signIn('docs')
    expect(code).toBe(0)
    expect(stdout).toContain("'docs' is signed in.")
    expect((await pegboard('call', 'docs.read')).stdout).toContain('read it')
    expect((await pegboard('auth')).stdout).toMatch(/docs\s+signed-in\s+oauth/)
    const trail = await pegboard('audit', '--kind', 'credential', '--json')
    expect(trail.stdout).toMatch(/"action":\s*"sign-in"/)
    expect(trail.stdout).toMatch(/"via":\s*"cli"/)
    expect(trail.stdout).not.toContain(far.rules.canary)
  })

  it('signs out, signs in through the gateway that runs, and prints JSON for programs', async () => {
    const gateway = await serveCli(home)
    try {
      const port = ['--port', gateway.port]
      expect((await pegboard('auth', 'docs', '--sign-out', ...port)).stdout).toContain('forgotten')
      const { code, stdout } = await signIn('docs', '--json', ...port)
      expect(code).toBe(0)
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({ source: 'docs', state: 'signed-in' })
      expect(stdout).not.toContain(`${far.rules.canary}-access`)
      const { stdout: list } = await pegboard('auth', '--json', ...port)
      expect(JSON.parse(list)).toEqual([expect.objectContaining({ source: 'docs', state: 'signed-in' })])
    } finally {
      await gateway.stop()
    }
  })

  it('lists sources at which everybody signs in for themselves, with and without a gateway that runs', async () => {
    const apart = mkdtempSync(join(tmpdir(), 'pegboard-auth-own-'))
    const sources = { mine: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } } }
    writeFileSync(join(apart, 'pegboard.json'), JSON.stringify({ sources }))
    const auth = (...args: readonly string[]) => runCli(['auth', ...args], { cwd: apart, home: apart })
    expect((await auth()).stdout).toMatch(/mine\s+per-caller: 0 signed in\s+oauth/)
    const gateway = await serveCli(apart)
    try {
      const listed = JSON.parse((await auth('--json', '--port', gateway.port)).stdout)
      expect(listed).toEqual([{ source: 'mine', type: 'oauth', state: 'per-caller', people: 0 }])
      const { code, stderr } = await auth('mine', '--port', gateway.port)
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('/me')])
      expect(code).not.toBe(0)
    } finally {
      await gateway.stop()
      rmSync(apart, { recursive: true, force: true })
    }
  })

  it('ends with a code of its own when the browser is sent away, and names an unknown source', async () => {
    far.rules.comesBackWith = { code: '', error: 'access_denied' }
    const { code, stderr } = await signIn('docs')
    expect(code).toBe(3)
    expect(stderr).toContain('access_denied')
    expect((await pegboard('auth', 'nothing')).code).toBe(2)
  })
})
