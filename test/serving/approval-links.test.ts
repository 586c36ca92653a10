import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ApprovalBoard,
  isSigned,
  openApprovalBoard,
  type Receiver,
  secret,
  startReceiver,
} from '../helpers/approval-board.js'

let receiver: Receiver
let gateway: ApprovalBoard
const open = async (settings: object = {}, more: object = {}): Promise<void> => {
  gateway = await openApprovalBoard({ url: receiver.url, secret, ...settings }, more)
}
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(async () => {
  vi.useRealTimers()
  await gateway?.[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** Makes a call that a rule asks about, and gives the link that was sent for it. */
const linkFor = async (args: object, count = receiver.received.length + 1, key = gateway.agent): Promise<string> => {
  expect((await gateway.refund(args, key)).status).toBe(202)
  return here((await receiver.nth(count)).message.url)
}
/** After a restart the port is another; links are told with a public address then. */
const here = (link: string): string => `${gateway.url}${new URL(link).pathname}`
const stateOf = async (): Promise<string> => (await gateway.board.gateway.approvals.list())[0]!.state

describe('a message about a call that waits', () => {
  it('is signed, says what approvers are shown, and goes out once', async () => {
    await open()
    await gateway.refund({ amount: 250, to: 'evil\u202etxt\u200b ghp_0123456789abcdefghijABCDEFGHIJ012345' })
    const told = await receiver.nth(1)
    expect(isSigned(told)).toBe(true)
    expect(told.headers['content-type']).toBe('application/json')
    const [grant] = await gateway.board.gateway.approvals.list()
    expect(told.message).toEqual({
      ...{ id: grant!.id, tool: 'refund', title: 'Refund\\u202e money', profile: 'default', rules: ['money'] },
      ...{ caller: grant!.caller, callerName: 'agent', reason: 'More than pocket money', isCut: false },
      arguments: expect.stringMatching(/^\{"amount":250,"to":"evil\\u202etxt\\u200b /),
      expiresAt: new Date(grant!.expiresAt).toISOString(),
      url: expect.stringMatching(new RegExp(`^${gateway.url}/approve/[A-Za-z0-9_-]{43}$`)),
    })
    expect(told.body).not.toContain('ghp_')
    // The same call asked again shares the request.
    await gateway.refund({ amount: 250, to: 'evil\u202etxt\u200b ghp_0123456789abcdefghijABCDEFGHIJ012345' })
    await linkFor({ amount: 251 }, 2)
    expect(receiver.received).toHaveLength(2)
  })

  it('begins where the arguments are too long, and says so', async () => {
    await open()
    const link = await linkFor({ text: 'x'.repeat(70_000) })
    expect(receiver.received[0]!.message).toMatchObject({ isCut: true })
    expect(receiver.received[0]!.body.length).toBeLessThan(10_000)
    expect((await gateway.ask('GET', link)).text).toContain('Only the beginning of 70011 bytes is shown.')
  })

  it('has the public address of the gateway', async () => {
    await open({}, { server: { publicUrl: 'https://board.example.com/tools/' } })
    await gateway.refund({ amount: 250 })
    expect((await receiver.nth(1)).message.url).toMatch(/^https:\/\/board\.example\.com\/tools\/approve\/[\w-]{43}$/)
  })

  it('keeps its secret and its link to itself: not in errors, lists, the log, the audit or what is stored', async () => {
    await open({}, { telemetry: { audit: 'values' } })
    const refused = await gateway.refund({ amount: 250 })
    const { url } = (await receiver.nth(1)).message
    const token = url.split('/').at(-1)
    const admin = await gateway.key('admin')
    await gateway.ask('GET', url)
    await gateway.decide(url, { decision: 'once' }, { 'sec-fetch-site': 'cross-site' })
    const seen = await Promise.all(
      ['/api/v1/approvals', '/api/admin/v1/approvals/calls', '/api/admin/v1/audit', '/api/admin/v1/logs'].map((path) =>
        gateway.api(admin, 'GET', path),
      ),
    )
    const programs = await gateway.board.gateway.approvals.list()
    await gateway.board.close()
    const stored = readdirSync(gateway.board.config.storage.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    const everything = JSON.stringify([refused, seen, programs, gateway.log(), stored])
    expect(everything).toContain('money')
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(secret)
    expect(programs[0]).toMatchObject({ link: undefined })
  })

  it('is not sent where nobody is to be told, and a link ends with the setting', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    gateway.edit({})
    await vi.waitUntil(() => gateway.board.config.approvals.webhook === undefined, { timeout: 20_000 })
    expect((await gateway.decide(link, { decision: 'once' })).status).toBe(404)
    await gateway.refund({ amount: 251 })
    expect(await stateOf()).toBe('asked')
    expect(receiver.received).toHaveLength(1)
  })
})

describe('a message that nobody takes', () => {
  it.each([
    ['that is not there', async () => 'http://127.0.0.1:1/hook'],
    ['that fails', async () => receiver.url],
    ['that leads elsewhere', async () => receiver.url],
  ])(
    'lets no call pass, at an address %s: it is logged once, counted, and answered elsewhere',
    async (which, address) => {
      await receiver[Symbol.asyncDispose]()
      receiver = await startReceiver(() =>
        which.includes('elsewhere') ? { status: 307, headers: { location: gateway.url } } : { status: 500 },
      )
      await open({ url: await address() })
      for (const amount of [1, 2]) expect((await gateway.refund({ amount })).status).toBe(202)
      await vi.waitUntil(() => gateway.log().includes('Approvers cannot be told'), { timeout: 20_000 })
      expect((await gateway.refund({ amount: 1 })).status).toBe(202)
      const [row] = (await gateway.api(gateway.ops, 'GET', '/api/v1/approvals')).json.approvals
      expect(
        (await gateway.api(gateway.ops, 'POST', `/api/v1/approvals/${row.id}`, { decision: 'approve' })).status,
      ).toBe(200)
      expect((await gateway.refund(JSON.parse(row.arguments))).json).toBe('refunded')
      const before = gateway.board.metricsPage
      await gateway.board.close()
      expect(before()).toContain('pegboard_approval_messages_total{outcome="failed"} ')
      expect(gateway.log().match(/Approvers cannot be told/g)).toHaveLength(1)
      expect(gateway.log()).not.toContain('/hook')
    },
  )
})

describe('the link of a message', () => {
  it('shows the call to whoever looks, as often as they look, and decides nothing by that', async () => {
    await open()
    const link = await linkFor({ amount: 250, to: '<script>alert(1)</script>\u200b' })
    for (const method of ['GET', 'GET', 'HEAD', 'GET']) {
      const { status, headers, text } = await gateway.ask(method, link, { 'user-agent': 'Slackbot-LinkExpanding 1.0' })
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'$/,
      )
      if (method === 'HEAD') expect(text).toBe('')
      else
        for (const words of [
          'refund',
          'agent',
          'money',
          'More than pocket money',
          'Approve once',
          '\\u200b',
          '\\u202e',
        ])
          expect(text).toContain(words)
      expect(text).not.toMatch(/<script|\u200b|\u202e/)
    }
    for (const query of ['?decision=once', '?decision=deny&note=x'])
      expect((await gateway.ask('GET', `${link}${query}`)).status).toBe(200)
    expect(await stateOf()).toBe('asked')
  })

  it('speaks Chinese to whoever does', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    const { text } = await gateway.ask('GET', link, { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.5' })
    expect(text).toContain('批准一次')
    expect(text).toContain('lang="zh-Hans"')
  })

  it('approves by its form, once: the call runs once, and the audit says that it was the link', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    const decided = await gateway.decide(link, { decision: 'once' })
    expect([decided.status, decided.text]).toEqual([200, expect.stringContaining('Approved, once')])
    // The same form sent again, by whoever has caught it.
    for (const decision of ['once', 'deny']) {
      const { status, text } = await gateway.decide(link, { decision })
      expect([status, text]).toEqual([404, expect.stringContaining('not valid any more')])
    }
    expect((await gateway.ask('GET', link)).status).toBe(404)
    expect((await gateway.refund({ amount: 251 })).status).toBe(202)
    expect((await gateway.refund({ amount: 250 })).json).toBe('refunded')
    expect((await gateway.refund({ amount: 250 })).status).toBe(202)
    expect(gateway.ran).toEqual([{ amount: 250 }])
    const { entries } = (await gateway.api(await gateway.key('admin'), 'GET', '/api/admin/v1/audit?kind=approval')).json
    expect(entries.find((entry: any) => entry.action === 'granted')).toMatchObject({
      actor: { id: 'webhook-link', type: 'anonymous', via: 'webhook' },
    })
  })

  it('denies with a note, which the caller is told', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    expect((await gateway.decide(link, { decision: 'deny', note: ' too much ' })).text).toContain('Denied')
    expect(await gateway.refund({ amount: 250 })).toMatchObject({
      status: 403,
      json: { error: { code: 'APPROVAL_DENIED', details: { reason: 'too much' } } },
    })
    expect((await gateway.decide(link, { decision: 'once' })).status).toBe(404)
    expect(gateway.ran).toEqual([])
  })

  it('lets one of two decide who press at the same moment', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    const answers = await Promise.all(
      ['once', 'deny', 'once', 'deny'].map((decision) => gateway.decide(link, { decision })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { text } = answers.find(({ status }) => status === 200)!
    expect(await stateOf()).toBe(text.includes('Approved') ? 'granted' : 'denied')
  })

  it('decides about its own request alone', async () => {
    await open()
    const first = await linkFor({ amount: 1 })
    const second = await linkFor({ amount: 2 })
    const { id } = receiver.received[0]!.message
    await gateway.decide(second, { decision: 'once', id, token: first.split('/').at(-1)! })
    const states = (await gateway.board.gateway.approvals.list()).map(({ id: each, state }) => [each === id, state])
    expect(states.sort()).toEqual([
      [false, 'granted'],
      [true, 'asked'],
    ])
  })

  it.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['a page that hides where it is from', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a browser that names only the site', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['no browser at all', { origin: '', 'sec-fetch-site': '' }],
  ])('takes no form from %s', async (_, headers) => {
    await open()
    const link = await linkFor({ amount: 250 })
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const answer = await gateway.ask(
      'POST',
      link,
      { 'content-type': 'application/x-www-form-urlencoded', ...sent },
      'decision=once',
    )
    expect(answer.status).toBe(403)
    expect(await stateOf()).toBe('asked')
  })

  it.each([{ decision: 'always' }, { decision: 'for', forMs: '3600000' }, {}])(
    'says yes for one call and never for longer: %j',
    async (fields) => {
      await open(
        {},
        {
          rules: [
            { id: 'money', tools: ['refund'], effect: 'ask', approval: { remember: ['once', 'minutes', 'always'] } },
          ],
        },
      )
      const link = await linkFor({ amount: 250 })
      expect((await gateway.decide(link, fields as Record<string, string>)).status).toBe(400)
      expect(await stateOf()).toBe('asked')
    },
  )

  it('refuses a note that is too long, and a form that is too large, and stays good', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    expect((await gateway.decide(link, { decision: 'deny', note: 'x'.repeat(501) })).status).toBe(400)
    expect((await gateway.decide(link, { decision: 'deny', note: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await gateway.decide(link, { decision: 'deny' })).status).toBe(200)
  })

  it('ends with its request', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
    expect((await gateway.ask('GET', link)).status).toBe(404)
    expect((await gateway.decide(link, { decision: 'once' })).status).toBe(404)
    expect(gateway.ran).toEqual([])
  })

  it('ends when the request is answered elsewhere', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    const { id } = receiver.received[0]!.message
    expect((await gateway.api(gateway.ops, 'POST', `/api/v1/approvals/${id}`, { decision: 'approve' })).status).toBe(
      200,
    )
    expect((await gateway.decide(link, { decision: 'deny' })).status).toBe(404)
    expect(await stateOf()).toBe('granted')
  })

  it('works after a restart', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    await gateway.restart()
    expect((await gateway.ask('GET', here(link))).text).toContain('{&#34;amount&#34;:250}')
    expect((await gateway.decide(here(link), { decision: 'once' })).status).toBe(200)
    expect((await gateway.refund({ amount: 250 })).json).toBe('refunded')
  })

  it('only refuses after a restart where arguments are kept in memory alone', async () => {
    await open()
    gateway.edit({ approvals: { keepArguments: false, webhook: { url: receiver.url, secret } } })
    await vi.waitUntil(() => !gateway.board.config.approvals.keepArguments, { timeout: 20_000 })
    const link = await linkFor({ amount: 250 })
    await gateway.restart()
    const page = await gateway.ask('GET', here(link))
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('memory of another process')])
    expect(page.text).not.toContain('Approve once')
    expect((await gateway.decide(here(link), { decision: 'once' })).status).toBe(409)
    expect((await gateway.decide(here(link), { decision: 'deny' })).status).toBe(200)
  })

  it('is not to be guessed: who tries is told to wait, whatever they try', async () => {
    await open()
    const link = await linkFor({ amount: 250 })
    const guesses = ['x', '..%2f', 'A'.repeat(43), link.split('/').at(-1)!.slice(0, -1), `${link.split('/').at(-1)!}A`]
    for (const guess of guesses) {
      const { status, text } = await gateway.ask('GET', `${gateway.url}/approve/${guess}`)
      expect([status, text]).toEqual([404, expect.stringContaining('not valid any more')])
      expect((await gateway.decide(`${gateway.url}/approve/${guess}`, { decision: 'once' })).status).toBe(404)
    }
    expect((await gateway.ask('GET', `${gateway.url}/approve/${'B'.repeat(43)}`)).status).toBe(429)
    // Whoever has the link is not kept out by those who guess.
    expect((await gateway.decide(link, { decision: 'once' })).status).toBe(200)
  })
})

describe('a link with requireKey', () => {
  beforeEach(() => open({ requireKey: true }))

  it('asks for a key, and decides nothing without one that may approve', async () => {
    const link = await linkFor({ amount: 250 })
    expect((await gateway.ask('GET', link)).text).toContain('Your Pegboard key')
    const wrong: readonly (readonly [string, string])[] = [
      ['', 'Show who you are'],
      ['nonsense', 'opens nothing here'],
      [`rtk_${'0'.repeat(64)}`, 'opens nothing here'],
      [gateway.agent, 'may not approve'],
      [await gateway.key('reader'), 'may not approve'],
      [await gateway.key('viewer'), 'may not approve'],
    ]
    for (const [key, words] of wrong) {
      const { status, text } = await gateway.decide(link, { decision: 'once', key })
      expect([status, text]).toEqual([403, expect.stringContaining(words)])
      if (key !== '') expect(text).not.toContain(key)
    }
    expect(await stateOf()).toBe('asked')
  })

  it('names whoever answered in the audit, and ends with their key', async () => {
    const link = await linkFor({ amount: 250 })
    const { key, record } = await gateway.board.listener!.keys.create({ name: 'second', role: 'operator' })
    expect((await gateway.decide(link, { decision: 'once', key })).status).toBe(200)
    const { entries } = (await gateway.api(await gateway.key('admin'), 'GET', '/api/admin/v1/audit?kind=approval')).json
    expect(entries.find((entry: any) => entry.action === 'granted').actor).toMatchObject({ id: `key:${record.id}` })
    await gateway.board.listener!.keys.revoke(record.id)
    expect((await gateway.refund({ amount: 250 })).status).toBe(202)
    expect(gateway.ran).toEqual([])
  })

  it('lets nobody approve their own call, and stays good for somebody else', async () => {
    const link = await linkFor({ amount: 250 }, 1, gateway.ops)
    const own = await gateway.decide(link, { decision: 'once', key: gateway.ops })
    expect([own.status, own.text]).toEqual([403, expect.stringContaining('Nobody approves their own call')])
    expect(await stateOf()).toBe('asked')
    expect((await gateway.decide(link, { decision: 'once', key: await gateway.key('admin') })).status).toBe(200)
  })

  it('takes the sign-in of an operator at the console, and of nobody else', async () => {
    const link = await linkFor({ amount: 250 })
    const cookieOf = async (key: string): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, origin: gateway.url, 'x-pegboard-console': '1' }
      const signed = await gateway.ask('POST', `${gateway.url}/api/admin/v1/session`, headers)
      return String(signed.headers['set-cookie']).split(';', 1)[0]!
    }
    const viewer = await cookieOf(await gateway.key('viewer'))
    expect((await gateway.decide(link, { decision: 'once' }, { cookie: viewer })).status).toBe(403)
    const operator = await cookieOf(gateway.ops)
    expect((await gateway.ask('GET', link, { cookie: operator })).text).toContain('You answer as ops')
    const foreign = { cookie: operator, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }
    expect((await gateway.decide(link, { decision: 'once' }, foreign)).status).toBe(403)
    expect(await stateOf()).toBe('asked')
    expect((await gateway.decide(link, { decision: 'once' }, { cookie: operator })).status).toBe(200)
    expect(await stateOf()).toBe('granted')
  })

  it('bounds wrong keys as every other door does', async () => {
    const link = await linkFor({ amount: 250 })
    const statuses: number[] = []
    for (let tried = 0; tried < 12; tried++)
      statuses.push((await gateway.decide(link, { decision: 'once', key: `rtk_${'0'.repeat(64)}` })).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(403))
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await gateway.decide(link, { decision: 'once', key: gateway.ops })).status).toBe(200)
  })
})
