import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../helpers/identity-provider.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

// Made once for all, which takes a while on a busy machine.
beforeAll(() => void cliPath())

const home = mkdtempSync(join(tmpdir(), 'pegboard-online-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const server = { publicUrl: 'https://tools.example.com' }

describe('pegboard check --online', () => {
  it('names the setting of an issuer that cannot be used, and asks nobody without the flag', async () => {
    await using provider = await startIdentityProvider()
    writeFileSync(
      join(home, 'pegboard.json'),
      JSON.stringify({ server, auth: { tokens: [{ issuer: provider.issuer }] } }),
    )
    const run = (...args: string[]) => runCli(['check', ...args], { cwd: home, home })
    const good = await run('--online')
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining(`${provider.issuer}: answers`)])
    expect(JSON.parse((await run('--online', '--json')).stdout)).toMatchObject({ ok: true, issuers: [provider.issuer] })
    const { issuer, clientId } = provider
    const write = (clientSecret: string) =>
      writeFileSync(
        join(home, 'pegboard.json'),
        JSON.stringify({ server, auth: { people: { issuer, clientId, clientSecret } } }),
      )
    write(provider.clientSecret)
    expect((await run('--online')).stdout).toContain(`${issuer}: answers, its clock agrees, and it takes our secret.`)
    // Elsewhere than at home, where the file is named.
    const cwd = mkdtempSync(join(home, 'strange-'))
    copyFileSync(join(home, 'pegboard.json'), join(cwd, 'pegboard.json'))
    rmSync(join(home, 'pegboard.json'))
    const untrusted = await runCli(['check', '--online'], { cwd, home, trusts: false })
    expect([untrusted.code, untrusted.stderr]).toEqual([0, expect.stringContaining('the issuers were not asked')])
    write('canary-of-a-wrong-secret')
    const refused = await run('--online')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('auth.people.clientSecret')
    expect(refused.stderr + refused.stdout).not.toContain('canary')
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ server, auth: { tokens: [{ issuer }] } }))
    provider.down()
    const asked = provider.log.length
    expect((await run()).code).toBe(0)
    expect(provider.log.length).toBe(asked)
    const bad = await run('--online')
    expect(bad.code).not.toBe(0)
    expect(bad.stderr).toContain('auth.tokens[0].issuer')
    expect(bad.stderr).toContain(provider.issuer)
  })
})
