import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createBrowser } from '../helpers/headless-browser.js'
import { openTeam } from '../helpers/team-board.js'

type Answer = (own: string, request: IncomingMessage, response: ServerResponse) => void

/** A provider that says what the test wants, and how often it was asked what. */
const startFar = async (answer: Answer) => {
  const asked: string[] = []
  let sent = 0
  const listening = createServer((request, response) => {
    asked.push(request.url!.split('?', 1)[0]!)
    response.on('close', () => {
      sent += request.socket.bytesWritten
    })
    answer(own, request, response)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const own = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  return {
    ...{ issuer: own, clientId: 'pegboard', clientSecret: 'canary-of-the-secret', allowRedirect: () => {}, asked },
    sent: () => sent,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

const json = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
const described = (own: string, more: object = {}) => ({
  issuer: own,
  authorization_endpoint: `${own}/authorize`,
  token_endpoint: `${own}/token`,
  jwks_uri: `${own}/keys`,
  ...more,
})
const isDescription = ({ url }: IncomingMessage): boolean => url!.startsWith('/.well-known/')
const huge = 10_000_000
/** As much as is taken; whoever has enough hangs up. */
const sendHuge = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  const chunk = Buffer.alloc(100_000, 32)
  let left = huge
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (claims: object): string =>
  `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded(claims)}.${'A'.repeat(342)}`

/** What a browser sees that wants to sign in at the console. */
const signIn = async (url: string, language: string) => {
  const answer = await fetch(`${url}/session/sign-in`, {
    redirect: 'manual',
    headers: { 'accept-language': language },
  })
  return { status: answer.status, text: await answer.text() }
}

const faults: readonly (readonly [string, Answer, number, RegExp, RegExp])[] = [
  [
    'answers 503',
    (_, __, response) => void response.writeHead(503).end('down'),
    503,
    /cannot be asked: .*check auth\.people\.issuer/,
    /无法询问身份提供方.*auth\.people\.issuer/,
  ],
  [
    'goes by another name',
    (own, _, response) => json(response, described(own, { issuer: `${own}/other` })),
    403,
    /another name than auth\.people\.issuer.*letter by letter/,
    /自称的名字与 auth\.people\.issuer 不同/,
  ],
  [
    'leads from one place to the next and back',
    (own, { url }, response) =>
      void response.writeHead(302, { Location: url!.includes('again') ? `${own}/` : `${own}/again` }).end(),
    503,
    /cannot be asked: .*check auth\.people\.issuer/,
    /无法询问身份提供方.*auth\.people\.issuer/,
  ],
  [
    'describes itself in 10 MB',
    (_, __, response) => sendHuge(response),
    503,
    /cannot be asked: .*check auth\.people\.issuer/,
    /无法询问身份提供方.*auth\.people\.issuer/,
  ],
  [
    'is a page for people',
    (_, __, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Welcome</html>'),
    503,
    /cannot be asked: .*check auth\.people\.issuer/,
    /无法询问身份提供方.*auth\.people\.issuer/,
  ],
]

describe('an identity provider that cannot be used when the gateway starts', () => {
  it.each(faults)(
    'because it %s is told by code, setting and way out, in both languages',
    async (_, answer, status, en, zh) => {
      await using far = await startFar(answer)
      await using team = await openTeam({ provider: far })
      const english = await signIn(team.url, 'en')
      expect([english.status, english.text]).toEqual([status, expect.stringMatching(en)])
      const chinese = await signIn(team.url, 'zh-CN')
      expect([chinese.status, chinese.text]).toEqual([status, expect.stringMatching(zh)])
      expect(team.log.filter((line) => /People cannot sign in: .*auth\.people\.issuer/.test(line))).toHaveLength(1)
      expect(english.text + chinese.text + team.log.join()).not.toContain('canary')
      // Each visit asks once, and no more is read than such a document needs.
      expect(far.asked.length).toBeLessThanOrEqual(2)
      expect(far.sent()).toBeLessThan(huge / 2)
      // Keys work all the while.
      const key = await team.key('read')
      const answered = await fetch(`${team.url}/api/v1/tools`, { headers: { authorization: `Bearer ${key}` } })
      expect(answered.status).not.toBe(401)
    },
  )
})

describe('an issuer whose keys are 10 MB', () => {
  it('signs nobody in, and is not read to its end', async () => {
    let nonce = ''
    await using far = await startFar((own, request, response) => {
      if (isDescription(request)) return json(response, described(own))
      if (request.url === '/keys') return sendHuge(response)
      const now = Math.floor(Date.now() / 1000)
      const claims = { iss: own, sub: 'alice', aud: 'pegboard', nonce, iat: now, exp: now + 60, groups: ['eng'] }
      json(response, { access_token: 'a', token_type: 'Bearer', id_token: unsigned(claims) })
    })
    await using team = await openTeam({ provider: far })
    const browser = createBrowser()
    const { url } = await browser.open(`${team.url}/session/sign-in`, (to) => to.startsWith(far.issuer))
    const { searchParams } = new URL(url)
    nonce = searchParams.get('nonce')!
    const state = searchParams.get('state')!
    const back = await browser.open(`${team.url}/session/callback?code=c&state=${state}`)
    expect([back.status, back.text]).toEqual([503, expect.stringContaining('auth.people.issuer')])
    expect(far.asked).toContain('/keys')
    expect(far.sent()).toBeLessThan(huge / 2)
  })

  it('has tokens that are 503, and the log names it', async () => {
    await using far = await startFar((own, request, response) =>
      isDescription(request) ? json(response, described(own)) : sendHuge(response),
    )
    await using team = await openTeam({ provider: far, people: 'off', tokens: true })
    const now = Math.floor(Date.now() / 1000)
    const token = unsigned({ iss: far.issuer, sub: 'alice', aud: `${team.url}/mcp`, iat: now, exp: now + 60 })
    const answer = await fetch(`${team.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('ISSUER_UNAVAILABLE')])
    expect(team.log.join('\n')).toContain(far.issuer)
    expect(far.sent()).toBeLessThan(huge / 2)
  })
})
