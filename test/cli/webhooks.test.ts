import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isSigned, type Receiver, secret, startReceiver } from '../helpers/approval-board.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

let receiver: Receiver
let home: string
let gateway: GatewayProcess | undefined
// Compiling it may take longer than a test.
beforeAll(() => void cliPath())
beforeEach(async () => {
  receiver = await startReceiver()
  home = mkdtempSync(join(tmpdir(), 'pegboard-webhooks-'))
})
afterEach(async () => {
  await gateway?.dispose()
  gateway = undefined
  await receiver[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})
const configured = (...webhooks: object[]): void =>
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ webhooks }))
const run = (...args: string[]) => runCli(['webhooks', ...args], { cwd: home, home })

describe('pegboard webhooks test', () => {
  it('sends a signed message and says what was answered', async () => {
    configured({ url: receiver.url, secret, language: 'zh' })
    const { code, stdout } = await run('test')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^127\.0\.0\.1:\d+ took it: 204, \d+ ms\n$/)])
    const told = await receiver.nth(1)
    expect(isSigned(told)).toBe(true)
    expect(told.message).toMatchObject({ type: 'test', text: '测试：本网关的消息可以送达这里。' })
  })

  it('says what is wrong at the other end, and ends with a code of its own', async () => {
    const broken = await startReceiver(() => ({ status: 418 }))
    configured({ url: receiver.url, secret }, { url: broken.url, secret }, { url: 'http://127.0.0.1:1/', secret })
    const all = await run('test', '--json')
    await broken[Symbol.asyncDispose]()
    expect(all.code).toBe(4)
    expect(JSON.parse(all.stdout)).toMatchObject([
      { ok: true, status: 204 },
      { ok: false, status: 418, why: 'It answered 418.' },
      { ok: false, why: expect.any(String) },
    ])
    expect((await run('test', '1')).code).toBe(0)
    const none = await run('test', '9')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Those of the configuration: 1 127.0.0.1:')])
    expect(`${all.stdout}${all.stderr}${none.stderr}`).not.toContain('/hook')
  })

  it('sends nothing for a file that nobody said yes to', async () => {
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'pegboard.json'), JSON.stringify({ webhooks: [{ url: receiver.url, secret }] }))
    const { code, stderr } = await runCli(['webhooks', 'test'], { cwd, home, trusts: false })
    expect([code, stderr]).toEqual([3, expect.stringContaining('pegboard trust')])
    expect(receiver.received).toEqual([])
  })
})

describe('pegboard webhooks', () => {
  it('shows what the running gateway told, over whom, and what became of it', async () => {
    gateway = await startGateway({
      webhooks: [{ url: receiver.url, secret }],
      mcpServers: { gone: { command: 'no-such-program-at-all' } },
    })
    expect((await receiver.nth(1)).message).toMatchObject({ type: 'source.down', subject: { id: 'gone' } })
    const flags = ['--config', gateway.file, '--data-path', join(gateway.folder, 'data')]
    const shown = JSON.parse((await run(...flags, '--json')).stdout)
    expect(shown).toMatchObject({
      running: true,
      webhooks: [
        { events: 'all', sent: 1, failed: 0, last: [{ type: 'source.down', subject: 'gone', outcome: 'sent' }] },
      ],
    })
    expect((await run(...flags)).stdout).toMatch(/source\.down +gone +sent/)
  })

  it('shows those of the configuration where none runs', async () => {
    configured({ url: receiver.url, secret, events: ['key.expiring'] })
    expect((await run()).stdout).toMatch(/key\.expiring[\s\S]*No gateway runs with this configuration/)
    writeFileSync(join(home, 'pegboard.json'), '{}')
    expect((await run()).stdout).toContain('No webhooks.')
  })
})
