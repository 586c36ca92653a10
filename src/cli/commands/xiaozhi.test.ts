import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startFarSide } from '../../../test/helpers/far-side.js'
import { type Relay, startRelay } from '../../../test/helpers/relay.js'
import { settle } from '../../../test/helpers/virtual-clock.js'
import { createAuthenticator } from '../../http/auth-loopback.js'
import { createHttpHost } from '../../http/host.js'
import { toRoute } from '../../operations/to-route.js'
import { openBoard } from '../../serving/open-board.js'
import { readConfig } from '../../serving/read-config.js'
import { openXiaozhi } from '../../serving/xiaozhi-links.js'
import { silentLogger } from '../../telemetry/logger.js'
import { status, test, xiaozhiChecks } from './xiaozhi.js'

const clean: (() => unknown)[] = []
let folder: string
let relay: Relay
let written: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-xiaozhi-'))
  relay = await startRelay()
  written = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
  clean.push(
    () => rmSync(folder, { recursive: true, force: true }),
    relay.close,
    () => spy.mockRestore(),
  )
})
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

const configure = (config: object) => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config))
  return { config: file }
}
/** A gateway that serves what the file says, as `serve` does, on a port of its own. */
const serve = async (config: object) => {
  const loaded = await readConfig(configure(config))
  const board = await openBoard(loaded, { logger: silentLogger, env: {}, persist: 'never' })
  const links = await openXiaozhi(board, silentLogger)
  const http = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
  http.addRoutes(links.operations.map((each) => toRoute(each)))
  const { port } = await http.listen({ host: '127.0.0.1', port: 0 })
  links.start()
  clean.push(board.close, () => http.close({ graceMs: 0 }), links.close)
  return { ...configure({ ...config, server: { port } }), links }
}
const freePort = async (): Promise<number> => {
  const far = await startFarSide()
  await far.close()
  return far.port
}

describe('pegboard xiaozhi status', () => {
  it('says how to begin where nothing is configured', async () => {
    await status(configure({ server: { port: await freePort() } }))
    expect(written).toContain('MCP_ENDPOINT')
  })

  it('shows what is configured when no gateway runs, without the token', async () => {
    const flags = configure({ server: { port: await freePort() }, xiaozhi: { endpoint: relay.toolUrl('me') } })
    await status(flags)
    expect(written).toMatch(/xiaozhi-1 +127\.0\.0\.1:\d+ +default +stopped/)
    expect(written).toContain('pegboard serve')
    expect(written).not.toContain('token')
    const checks = await xiaozhiChecks((await readConfig(flags)).config)
    expect(checks).toMatchObject([{ hop: 'our link', ok: undefined }])
  })

  it('asks the running gateway', async () => {
    const { links, ...flags } = await serve({ xiaozhi: { endpoint: relay.toolUrl('me') } })
    while (links.status()[0]!.state !== 'connected') await settle()
    await status({ ...flags, json: true })
    expect(JSON.parse(written)).toMatchObject({
      running: true,
      endpoints: [{ state: 'connected', host: expect.any(String) }],
    })
    expect(written).not.toContain('token=')
  })

  it('fails with what to do when the far side refuses', async () => {
    const endpoint = relay.toolUrl('me').replace(/token=.*/, 'token=wrong-wrong')
    const { links, ...flags } = await serve({ xiaozhi: { endpoint } })
    while (links.status()[0]!.state !== 'waiting') await settle()
    await expect(status(flags)).rejects.toMatchObject({ exitCode: 4 })
    expect(written).toContain('far side  FAILED')
    expect(written).not.toContain('wrong-wrong')
  })
})

describe('pegboard xiaozhi test', () => {
  it('leaves the running gateway its place and speaks at the other door', async () => {
    const { links, ...flags } = await serve({ xiaozhi: { endpoint: relay.toolUrl('me') } })
    while (links.status()[0]!.state !== 'connected') await settle()
    await test('1', { ...flags, json: true })
    const { ok, checks } = JSON.parse(written)
    expect(ok).toBe(true)
    expect(checks.map(({ hop }: any) => hop)).toContain('tool')
    expect(relay.registrations.get('me')).toBe(1)
  })

  it('names a token that the relay does not accept, and does not blame the device (D17)', async () => {
    const endpoint = relay.toolUrl('me').replace(/token=.*/, 'token=wrong-wrong')
    const flags = configure({ server: { port: await freePort() }, xiaozhi: { endpoint } })
    await expect(test('1', flags)).rejects.toMatchObject({ exitCode: 4 })
    expect(written).toContain('token is not accepted')
    expect(written).not.toMatch(/switched on|wrong-wrong|No answer/)
  })

  it('runs without an endpoint and without a device', async () => {
    const flags = configure({ server: { port: await freePort() } })
    await test('1', { ...flags, local: true, tool: 'calculator', argsJson: '{"expression":"6*7"}' })
    expect(written).toContain('{"success":true,"result":42}')
  })

  it.each([
    ['2', {}, 'CONFIG_INVALID'],
    ['x', {}, 'CONFIG_INVALID'],
    ['1', { argsJson: '{' }, 'ARGUMENTS_INVALID'],
    ['1', { wait: 'long' }, 'ARGUMENTS_INVALID'],
  ])('refuses endpoint %s with %j', async (number, flags, code) => {
    const file = configure({ server: { port: await freePort() }, xiaozhi: { endpoint: relay.toolUrl('me') } })
    await expect(test(number, { ...file, ...flags })).rejects.toMatchObject({ code })
  })
})
