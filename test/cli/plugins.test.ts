import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

let home: string
let cwd: string
let gateway: GatewayProcess | undefined
// Compiling it may take longer than a test.
beforeAll(() => void cliPath())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-plugins-'))
  cwd = join(home, 'project')
  mkdirSync(cwd)
})
afterEach(async () => {
  await gateway?.dispose()
  gateway = undefined
  rmSync(home, { recursive: true, force: true })
})
const plugin = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text)
  return join(cwd, name)
}
const configured = (...plugins: unknown[]): void =>
  writeFileSync(join(cwd, 'pegboard.json'), JSON.stringify({ plugins }))

describe('pegboard plugins', () => {
  it('shows what runs, what each takes part in, how often and with how many errors', async () => {
    const counts = plugin(
      'counts.mjs',
      'export default { beforeCall: () => ({}), afterCall: () => { throw new Error("no") } }',
    )
    gateway = await startGateway({ plugins: [counts] })
    const call = await fetch(`${new URL(gateway.url).origin}/api/v1/tools/calculator/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"expression":"6*7"}',
    })
    expect(call.status).toBe(200)
    const flags = ['plugins', '--config', gateway.file, '--data-path', join(gateway.folder, 'data')]
    const shown = JSON.parse((await runCli([...flags, '--json'], { cwd, home })).stdout)
    expect(shown).toMatchObject({
      running: true,
      plugins: [
        {
          ...{ name: 'counts', hooks: ['beforeCall', 'afterCall'], onError: 'skip' },
          counts: { beforeCall: { calls: 1, errors: 0 }, afterCall: { calls: 1, errors: 1 } },
        },
      ],
    })
    const { stdout } = await runCli(flags, { cwd, home })
    expect(stdout).toMatch(/counts +afterCall +1 +1 /)
    await gateway.logged(/The plugin 'counts' failed in afterCall and is passed over: no/)
  })

  it('loads them to see, where no gateway runs, and says what is wrong', async () => {
    configured('./fine.mjs', { module: './broken.mjs' })
    plugin('fine.mjs', 'export default { onEvent: () => {} }')
    plugin('broken.mjs', 'export default 1')
    const { code, stdout } = await runCli(['plugins'], { cwd, home })
    expect(code).toBe(6)
    expect(stdout).toMatch(/fine +onEvent[\s\S]*broken +not loaded[\s\S]*broken: it must export a plugin/)
    configured()
    expect((await runCli(['plugins'], { cwd, home })).stdout).toContain('No plugins.')
  })

  it.each([['plugins'], ['list'], ['call', 'calculator', 'expression=1'], ['serve', '--port', '0']])(
    'runs none of a file that nobody said yes to: %s',
    async (...args) => {
      const trace = join(home, 'trace')
      plugin(
        'spy.mjs',
        `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trace)}, '')\nexport default { onEvent: () => {} }`,
      )
      configured('./spy.mjs')
      const { code, stderr } = await runCli(args, { cwd, home, trusts: false })
      expect([code, stderr, existsSync(trace)]).toEqual([3, expect.stringContaining('pegboard trust'), false])
    },
  )
})
