import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlacedSetting, settingAt, settingsIn } from '../../src/config/settings/setting.js'
import { settings } from '../../src/config/settings/table.js'
import { localCaller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

const all = settingsIn(settings).filter(({ onlyInFile }) => !onlyInFile)
const live = all.filter((each) => each.live)
const fixed = all.filter((each) => !each.live)
const placesOf = (entries: readonly PlacedSetting[]) => entries.map(({ place }) => place)

let running: Running
const device = { url: 'ws://127.0.0.1:9/link?token=abcdefgh' }
beforeAll(async () => {
  running = await openRunning({ xiaozhi: { endpoints: [device] } })
  for (let at = 0; at < 60; at++)
    running.board.gateway.register(
      defineTool({ name: `lamp_${at}`, description: 'A lamp. '.repeat(9), handler: () => 'lit' }),
    )
  running.board.gateway.register(defineTool({ name: 'hang', handler: () => new Promise(() => {}) }))
})
afterAll(() => running[Symbol.asyncDispose]())

describe('what a reload changes', () => {
  const covers = (followed: string, place: string) => place === followed || place.startsWith(`${followed}.`)

  it('is what the table calls live: each has who follows it, and nothing else has', () => {
    const followed = running.board.current.followed()
    const isFollowed = ({ place }: PlacedSetting) => followed.some((each) => covers(each, place))
    expect(placesOf(live.filter((each) => !isFollowed(each)))).toEqual([])
    expect(placesOf(fixed.filter(isFollowed))).toEqual([])
  })

  it('is followed at places that there are', () => {
    const places = running.board.current.followed().filter((place) => place !== 'sources')
    expect(places.filter((place) => !all.some((each) => covers(place, each.place)))).toEqual([])
  })
})

/** A configuration with this value at this place. */
const withValue = (place: string, value: unknown): object =>
  place.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object

const statuses = async () => JSON.parse((await running.get('/xiaozhi/status')).text).endpoints
const call = (tool: string, more = {}) => running.board.gateway.call({ tool, caller: localCaller, ...more })
const codeOf = async (tool: string, more = {}) => {
  const outcome = await call(tool, more)
  return outcome.ok ? 'ok' : outcome.error.code
}
const tools = async () => Number(JSON.parse((await running.get('/api/v1/tools')).text).tools.length)
const limits = () => running.board.gateway.load().limits

/** By place: a value for the file, and what then can be seen from outside. Polled, since the file is watched. */
const shown: Readonly<Record<string, readonly [value: unknown, look: () => unknown, seen: unknown]>> = {
  overrides: [{ hang: { title: 'Hangs' } }, () => running.board.gateway.find('hang')?.definition.title, 'Hangs'],
  profiles: [{ kitchen: {} }, () => running.board.findProfile('kitchen')?.expose, 'auto'],
  rules: [[{ id: 'dark', tools: ['lamp_1'], effect: 'deny', when: {} }], () => codeOf('lamp_1'), 'ACCESS_DENIED'],
  'publish.servers': [
    { docs: { server: { name: 'com.example/docs', description: 'Docs', version: '1.0.0' } } },
    async () => JSON.parse((await running.get('/v0.1/servers')).text).metadata.count,
    1,
  ],
  scripts: [{ enabled: true }, () => running.board.scripts() !== undefined, true],
  'toolManager.whitelist': [['hang'], tools, 1],
  'toolManager.blacklist': [['lamp_*'], async () => (await tools()) < 10, true],
  'toolManager.namespaceEnabled': [false, () => running.board.findProfile('default')?.naming.namespacing, false],
  'toolManager.maxToolListSize': [4096, async () => (await statuses())[0].maxListBytes, 4096],
  'toolManager.maxResultSize': [512, async () => (await statuses())[0].maxResultBytes, 512],
  'xiaozhi.endpoints': [[device, { url: `${device.url}2` }], async () => (await statuses()).length, 2],
  'auth.required': [true, async () => (await running.get('/api/v1/tools')).status, 401],
  'server.trustedHosts': [
    ['gw.example.com'],
    async () => (await running.get('/api/v1/tools', { host: 'gw.example.com' })).status,
    200,
  ],
  'server.allowedOrigins': [
    ['https://app.example.com'],
    async () => (await running.get('/api/v1/tools', { origin: 'https://app.example.com' })).status,
    200,
  ],
  'server.localOrigins': [
    false,
    async () => (await running.get('/api/v1/tools', { origin: 'http://localhost:5173' })).status,
    403,
  ],
  // Whoever comes through a proxy is asked for a key, and so nobody is local any more.
  'server.behindProxy': [true, async () => (await running.get('/api/v1/tools')).status, 401],
  'server.publicUrl': [
    'https://tools.example.com',
    async () => (await running.get('/api/v1/tools', { host: 'tools.example.com' })).status,
    // Let in by its name, and then asked for a key, as whoever comes through a proxy.
    401,
  ],
  'server.limits.maxBodyBytes': [
    2048,
    async () => (await running.post('/api/v1/tools/lamp_1/call', { text: 'x'.repeat(3000) })).status,
    413,
  ],
  'server.limits.keepAliveMs': [
    33_000,
    async () => (await running.get('/api/v1/tools', { connection: 'keep-alive' })).headers['keep-alive'],
    'timeout=33',
  ],
  'calls.concurrency': [9, () => limits().running, 9],
  'calls.concurrencyPerTool': [8, () => limits().runningPerTool, 8],
  'calls.queue': [7, () => limits().waiting, 7],
  'calls.timeoutMs': [
    20,
    () => (running.board.config.calls.timeoutMs === 20 ? codeOf('hang') : 'not read yet'),
    'DEADLINE_EXCEEDED',
  ],
  'calls.maxDepth': [1, () => codeOf('lamp_1', { parent: { tool: 'x', args: {}, depth: 1 } }), 'LOOP_DETECTED'],
  'search.replyBytes': [
    1000,
    async () => {
      const found = await running.board.gateway.run('search_tools', { query: 'lamp', limit: 60 }).catch(String)
      return JSON.stringify(found).length < 3000
    },
    true,
  ],
  'logging.level': [
    'debug',
    () => {
      running.board.logger.log('debug', 'heard from now on')
      return running.log().includes('heard from now on')
    },
    true,
  ],
}

/** Families whose other members go the same way as one above, and those that other tests show in force. */
const sameWay = [
  // One call of the listener's `limit`, and one of the gateway's `tune`; their effects: test/console/live-settings.test.ts.
  ...['server.limits', 'calls'],
  // Read at each use by the waiting room (test/surface/parked.test.ts), recall's answers (test/rest), the end of a shared
  // gateway (test/cli/running.test.ts) and the end of any (test/cli/ops).
  ...['parking', 'recall.actions', 'stdio.idleExitMs', 'server.drainMs'],
  // Asked at each approval: src/serving/approvals/four-eyes.test.ts.
  'approve.fourEyes',
  // Asked at each result that is cut: test/serving/results/reading-on.test.ts.
  'results',
  // Asked when a call is asked about: src/policy/grant-book.test.ts.
  'approvals.keepArguments',
  // Asked when somebody is told, and when a link is opened: test/serving/approval-links.test.ts.
  'approvals.webhook',
  // Who is told of events, and what takes part: test/serving/webhooks.test.ts and plugins.test.ts.
  ...['webhooks', 'plugins'],
  // Read with the servers that it stands before: test/publish.
  'publish.namespace',
  // Asked when somebody searches: test/console/registry-api.test.ts.
  'registries',
  // Switched and asked while it serves: test/history/history-api.test.ts.
  'history',
  // Who shows a certificate: test/access/tls.test.ts.
  'server.tls.callers',
  // A part of each source by the time the file is read: test/faults/leash-limits.test.ts.
  'children',
  // Read by each process that starts.
  ...['stdio.share', 'server.transport', 'auth'],
]

describe('an edit of the file of a running gateway', () => {
  it('is tried for every family of live settings', () => {
    const isTried = ({ place }: PlacedSetting) =>
      place in shown || sameWay.some((family) => place === family || place.startsWith(`${family}.`))
    expect(placesOf(live.filter((each) => !isTried(each)))).toEqual([])
    expect(Object.keys(shown).filter((place) => !settingAt(settings, place.split('.'))?.live)).toEqual([])
  })

  it.each(Object.entries(shown))('changes %s at once', { timeout: 20_000 }, async (place, [value, look, seen]) => {
    const before = { xiaozhi: { endpoints: [device] } }
    running.edit({ ...before, ...withValue(place, value) })
    await expect.poll(look, { timeout: 15_000, interval: 50 }).toEqual(seen)
    expect(running.board.current.waiting()).toEqual([])
    running.edit(before)
    await expect.poll(() => running.board.config.auth.required).toBe(false)
  })

  it('says of every other setting that it waits for a restart, in the log and to operators', {
    timeout: 60_000,
  }, async () => {
    const other: Readonly<Record<string, unknown>> = {
      'server.host': '127.0.0.2',
      'server.path': '/other',
      'server.token': 'a token of sixteen'.replaceAll(' ', '-'),
      'server.instructions': 'Other words',
      'outbound.proxy': 'http://proxy.example.com:3128',
      'search.method': 'bm25',
      'search.embedding.provider': 'off',
      'auth.apiKey': 'rtk_another',
      'recall.apiUrl': 'https://other.example.com',
      'recall.schemas': 'original',
      'recall.unreadable': 'open',
      'telemetry.audit': 'off',
      'storage.onCorrupt': 'set-aside',
      'toolManager.namespaceSeparator': '/',
      'logging.format': 'json',
    }
    const numbers = fixed.filter(({ kind }) => kind.name === 'number' || kind.name === 'switch')
    const changed = Object.fromEntries(
      numbers.map((each) => [
        each.place,
        each.kind.name === 'switch' ? !each.default : Number(each.default ?? 5000) + 1,
      ]),
    )
    const edited = Object.entries({ ...changed, ...other }).filter(([place]) => place !== 'search.embedding.timeoutMs')
    running.edit(edited.reduce((config, [place, value]) => merge(config, withValue(place, value)), {}))
    const wanted = edited.map(([place]) => place).sort()
    await expect.poll(() => [...running.board.current.waiting()].sort(), { timeout: 15_000 }).toEqual(wanted)
    const line =
      running
        .log()
        .split('\n')
        .find((each) => /in force after a restart|重启后生效/.test(each)) ?? ''
    expect(wanted.filter((place) => !line.includes(place))).toEqual([])
    const key = (await running.board.listener!.keys.create({ name: 'admin', permission: 'admin' })).key
    const answer = JSON.parse((await running.get('/api/admin/v1/settings', { 'x-api-key': key })).text)
    expect([...answer.waiting].sort()).toEqual(wanted)
    expect(
      answer.fields.filter(({ waits }: { waits: boolean }) => waits).map(({ path }: { path: string }) => path),
    ).toContain('search.method')
    // What cannot be told by a number or a word of its own is in the table all the same.
    const rest = placesOf(fixed).filter((place) => !wanted.includes(place))
    expect(rest.sort()).toEqual(
      [
        ...['logging.file', 'storage.backend', 'storage.path', 'search.algorithms', 'search.embedding.timeoutMs'],
        ...['search.embedding.apiKey', 'search.embedding.model', 'search.embedding.url'],
        ...['search.embedding.modelFile', 'search.embedding.vocabularyFile', 'search.embedding.pooling'],
        ...['search.embedding.queryPrefix', 'search.embedding.toolPrefix'],
        ...['recall.knowledge.headers', 'recall.knowledge.url', 'recall.operators.headers', 'recall.operators.url'],
        ...['storage.url', 'storage.schema', 'fleet.address', 'fleet.previousSecrets', 'fleet.replica', 'fleet.secret'],
        ...['auth.people', 'auth.tokens', 'vault.key', 'vault.previousKey'],
        ...['server.workers', 'server.tls.ca', 'server.tls.cert', 'server.tls.clients', 'server.tls.key'],
      ].sort(),
    )
  })
})

const merge = (one: any, two: any): any => {
  const all = { ...one }
  for (const [key, value] of Object.entries(two))
    all[key] = typeof value === 'object' && value && !Array.isArray(value) ? merge(all[key] ?? {}, value) : value
  return all
}
