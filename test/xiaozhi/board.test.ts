import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkStatus } from '../../src/cli/commands/xiaozhi-check.js'
import { runDialogue } from '../../src/cli/commands/xiaozhi-trial.js'
import { loadConfig } from '../../src/config/load.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import { toSettings } from '../../src/serving/xiaozhi-carrier.js'
import { openXiaozhi, type XiaozhiLinks } from '../../src/serving/xiaozhi-links.js'
import { type FarSide, startFarSide } from '../helpers/far-side.js'
import { type Relay, startRelay } from '../helpers/relay.js'
import { settle } from '../helpers/virtual-clock.js'
import { Robot } from './robot.js'
import { type Line, recordingLogger } from './start-link.js'
import { serverTranscript } from './transcripts.js'

const agent = 'an-agent'
const canary = 'canary-5f3a9c27d1e84b60'
let folder: string
let relay: Relay
let far: FarSide
let board: OpenedBoard
let links: XiaozhiLinks | undefined
let lines: Line[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-xiaozhi-'))
  relay = await startRelay()
  far = await startFarSide()
  lines = []
})
afterEach(async () => {
  await links?.close()
  links = undefined
  await board.close()
  await relay.close()
  await far.close()
  rmSync(folder, { recursive: true, force: true })
})

const load = (config: object) => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config))
  return loadConfig({ file, cwd: folder, env: {} })
}
const open = async (config: object): Promise<void> => {
  board = await openBoard(await load(config), { logger: recordingLogger(lines), env: {}, persist: 'never' })
  links = await openXiaozhi(board, recordingLogger(lines))
}
const manyTools = () => {
  const tools = Array.from({ length: 120 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does thing number ${index} in the house and says how it went. `.repeat(3),
    inputSchema: { type: 'object', properties: {} },
  }))
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools }))
  return { sources: { home: { type: 'catalog', path: './tools.json' } } }
}

describe('a board with endpoints', () => {
  it('serves what is configured, in every profile, through relay and cloud alike', async () => {
    await open({
      profiles: { kid: { allow: ['current_time'] } },
      xiaozhi: {
        endpoints: [{ url: relay.toolUrl(agent) }, { url: far.url(canary), profile: 'kid', maxResultSize: 512 }],
      },
    })
    links!.start()
    await relay.registered(agent)
    const robot = await Robot.connect(relay.robotUrl(agent))
    const { result } = await robot.ask('tools/call', { name: 'calculator', arguments: { expression: '6*7' } })
    expect(result.content[0].text).toBe('{"success":true,"result":42}')
    robot.close()
    const visit = await far.visit()
    const { tools } = (await visit.ask('tools/list')).result
    // What is cut for the link can be read on.
    expect(tools.map((tool: any) => tool.name)).toEqual(['current_time', 'read_result'])
    expect(links!.status().map(({ profile, maxResultBytes }) => [profile, maxResultBytes])).toEqual([
      ['default', 1024],
      ['kid', 512],
    ])
  })

  it('C6 shows a long list as tools that search it, which fit, and finds and calls through them', async () => {
    await open({ ...manyTools(), xiaozhi: { endpoint: far.url(canary) } })
    links!.start()
    const visit = await far.visit()
    const { result } = await visit.ask('tools/list', {}, 1)
    const names = result.tools.map((tool: any) => tool.name)
    expect(names).toContain('search_tools')
    expect(names).not.toContain('home_tool_1')
    expect(result.nextCursor).toBeUndefined()
    expect(Buffer.byteLength(JSON.stringify(result.tools))).toBeLessThan(10_240)
    const found = (await visit.call('search_tools', { query: 'thing number 77', search_method: 'bm25' })).content[0]
      .text
    expect(Buffer.byteLength(found)).toBeLessThanOrEqual(1024)
    expect(() => JSON.parse(found)).not.toThrow()
    expect(found).toContain('tool_77')
    expect(lines.find(({ meta }) => meta.code === 3004)!.message).toContain('showing tools that search the others')
    // By the link's own names, by the face's and by the exact ones (D18).
    for (const tool_name of ['home_tool_77', 'home.tool_77', 'home__tool_77'])
      expect((await visit.call('get_tool_definition', { tool_name })).content[0].text).toContain('thing number 77')
    for (const message of serverTranscript) visit.send(message)
    const answers = [await visit.next(), await visit.next()]
    expect(answers.find(({ id }) => id === 2).result.nextCursor).toEqual(expect.any(String))
  })

  it('C6 pages where the owner wrote flat', async () => {
    await open({ ...manyTools(), profiles: { default: { expose: 'flat' } }, xiaozhi: { endpoint: far.url(canary) } })
    links!.start()
    const visit = await far.visit()
    expect((await visit.ask('tools/list', {}, 1)).result.nextCursor).toEqual(expect.any(String))
    expect(lines.find(({ meta }) => meta.code === 3004)!.message).toContain('pages')
    // 001-17
    expect(lines).toContainEqual({
      level: 'info',
      service: 'registry',
      message: 'Service registered: home',
      meta: { namespace: 'home', type: 'catalog' },
    })
  })

  it('follows a changed configuration: an added endpoint is dialled, a removed one is left', async () => {
    await open({ xiaozhi: { endpoints: [{ url: far.url(canary) }] } })
    links!.start()
    const visit = await far.visit()
    await board.reload(await load({ xiaozhi: { endpoints: [{ url: relay.toolUrl(agent) }] } }))
    await relay.registered(agent)
    expect((await visit.closed).code).toBe(1000)
    expect(links!.status()).toHaveLength(1)
  })
})

describe('pegboard xiaozhi test', () => {
  const dialogue = (url: string, more: Partial<Parameters<typeof runDialogue>[0]> = {}) =>
    runDialogue({
      board,
      endpoint: toSettings(
        { url, profile: 'default', language: 'auto', maxResultSize: 1024, maxToolListSize: 10_240 },
        board.findProfile,
      ),
      logger: recordingLogger(lines),
      local: false,
      args: {},
      waitMs: 10_000,
      ...more,
    })
  const shown = (checks: Awaited<ReturnType<typeof dialogue>>) => checks.map(({ hop, ok }) => `${hop}: ${ok}`)

  it('speaks through a local far side and through a relay, as the robot it is not', async () => {
    await open({})
    const whole = ['source: true', 'our link: true', 'far side: true', 'tool: true']
    expect(shown(await dialogue('ws://127.0.0.1:9/', { local: true }))).toEqual(whole)
    expect(shown(await dialogue(relay.toolUrl(agent)))).toEqual(whole)
  })

  it('names the failing hop: our link', async () => {
    await open({})
    const checks = await dialogue(`ws://127.0.0.1:9/?token=${canary}`)
    expect(checks.at(-1)).toMatchObject({
      hop: 'our link',
      ok: false,
      todo: expect.stringContaining('Nothing listens'),
    })
  })

  it('names the failing hop: the far side', async () => {
    await open({})
    const refused = startFarSide({ status: () => 401 })
    const checks = await dialogue((await refused).url(canary))
    await (await refused).close()
    expect(checks.at(-1)).toMatchObject({ hop: 'far side', ok: false, todo: expect.stringContaining('token') })
  })

  it('names the failing hop: the source', async () => {
    await open({ sources: { gone: { type: 'stdio', command: 'a-command-that-is-not-there' } } })
    await board.settled()
    const checks = await dialogue('ws://127.0.0.1:9/', { local: true })
    expect(checks[0]).toMatchObject({ hop: 'source', ok: false, what: expect.stringContaining("'gone'") })
  })

  it('names the failing hop: the tool', async () => {
    await open({})
    const checks = await dialogue('ws://127.0.0.1:9/', { local: true, tool: 'calculator', args: { expression: '1/' } })
    expect(checks.at(-1)).toMatchObject({
      hop: 'tool',
      ok: false,
      what: expect.stringContaining("'calculator' failed"),
    })
  })

  it('tells when a token ends, and that nobody has asked yet', async () => {
    await open({})
    const status = { ...statusOf(), tokenExpiresAt: Date.UTC(2026, 10, 14) }
    const now = Date.UTC(2026, 10, 15)
    expect(checkStatus(status, now)).toMatchObject([
      { ok: false, what: 'its token ended on 2026-11-14' },
      { ok: true },
      { ok: undefined },
    ])
  })

  const statusOf = () =>
    ({
      name: 'xiaozhi-1',
      host: 'h',
      profile: 'default',
      state: 'connected',
      connects: 1,
      calls: 0,
      running: 0,
      late: 0,
      maxResultBytes: 1024,
      maxListBytes: 10_240,
    }) as Parameters<typeof checkStatus>[0]

  it('X2 shows no part of a token: not in the log, not in the status, not in the findings, whoever quotes it', async () => {
    await open({ xiaozhi: { endpoint: far.url(canary) } })
    links!.start()
    const quoting = await far.visit()
    quoting.socket.close(1008, `bad token ${canary.slice(3, 18)}`)
    while (links!.status()[0]!.state !== 'waiting') await settle()
    expect(links!.status()[0]!.reason).toContain('bad token ***')
    const checks = await dialogue(`ws://127.0.0.1:9/?token=${canary}`)
    const all = JSON.stringify([lines, links!.status(), checks])
    for (let at = 0; at + 6 <= canary.length; at++) expect(all).not.toContain(canary.slice(at, at + 6))
    expect(all).not.toContain('token=')
  })
})
