import { answerIn, isBack, linkOf, redirectUri, registered, trade, verifier } from './authorization-host.js'
import { rawRequest } from './clients/raw-messages.js'
import { createBrowser, type HeadlessBrowser } from './headless-browser.js'

export interface SignedTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly client: string
}

/** Through consent and the provider's form, or with a key where there is no provider: the tokens of a client of theirs. */
export const tokensFor = async (
  url: string,
  who: { readonly login: string } | { readonly key: string },
  browser: HeadlessBrowser = createBrowser(),
): Promise<SignedTokens> => {
  const client = await registered(url)
  const consent = await browser.open(linkOf(url, { client_id: client }))
  const options = { button: 'allow', stopAt: isBack }
  const next = await browser.submit(consent, 'key' in who ? { key: who.key } : {}, options)
  const isForm = 'login' in who && next.text.includes('name="login"')
  const back = isForm ? await browser.submit(next, { login: who.login }, { stopAt: isBack }) : next
  const { code } = answerIn(back)
  const tokens = await trade(url, {
    ...{ grant_type: 'authorization_code', client_id: client, code },
    ...{ code_verifier: verifier, redirect_uri: redirectUri },
  })
  if (tokens.status !== 200)
    throw new Error(`No tokens for ${Object.values(who)}: ${back.status} ${JSON.stringify(tokens)}`)
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token, client }
}

/** What somebody listens to. */
export interface OpenStreams {
  /** Those that are still open. */
  open(): readonly string[]
  /** When all of them were cut off, by `performance.now()`. */
  readonly cut: Promise<number>
  leave(): void
}

/** One of each kind: the stream of a legacy session, a modern subscription, and the events over REST. */
export const openStreams = async (url: string, credential: string): Promise<OpenStreams> => {
  const leaving = new AbortController()
  const own = { authorization: `Bearer ${credential}` }
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...own, ...accept, ...headers },
      body: JSON.stringify(body),
      signal: leaving.signal,
    })
  const initialize = await send({
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  })
  await initialize.text()
  const session = {
    'mcp-session-id': initialize.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  }
  const look = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { ...own, accept: 'text/event-stream', ...headers }, signal: leaving.signal })
  const listen = rawRequest('modern', 'listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  const streams = {
    legacy: await look('/mcp', session),
    modern: await send(listen, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }),
    rest: await look('/api/v1/events', {}),
  }
  const open = new Set<string>(Object.keys(streams))
  const ends = Object.entries(streams).map(async ([name, response]) => {
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 200 || !type.startsWith('text/event-stream'))
      throw new Error(`${name}: ${response.status} ${await response.text()}`)
    // Whether it ends or breaks off is all the same to whoever listens.
    await response.text().catch(() => '')
    open.delete(name)
  })
  const cut = Promise.all(ends).then(() => performance.now())
  // A stream that never opened is told to whoever waits for its end.
  cut.catch(() => {})
  return { open: () => [...open], cut, leave: () => leaving.abort() }
}

/** A call whose tool asks its caller something and waits for the answer: true where it waits. */
export const parkCall = async (url: string, credential: string, name: string): Promise<boolean> => {
  const request: any = rawRequest('modern', 1, 'tools/call', { name, arguments: {} })
  request.params._meta['io.modelcontextprotocol/clientCapabilities'] = { elicitation: { form: {} } }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify(request),
  })
  const text = await response.text()
  if (!text.includes('input_required')) throw new Error(`Not asked: ${response.status} ${text.slice(0, 300)}`)
  return true
}

/** The same over a legacy session, where the question comes on the answer itself and the call runs on meanwhile. */
export const askedCall = async (
  url: string,
  credential: string,
  name: string,
): Promise<{ /** Settles when the answer ends or breaks off. */ readonly over: Promise<void> }> => {
  const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const begun = await send({
    ...{ id: 1, method: 'initialize' },
    params: {
      ...{ protocolVersion: '2025-11-25', clientInfo: { name: 'raw', version: '1' } },
      capabilities: { elicitation: {} },
    },
  })
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  const answer = await send({ id: 2, method: 'tools/call', params: { name, arguments: {} } }, session)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  while (!heard.includes('elicitation/create')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`Not asked: ${answer.status} ${heard.slice(0, 300)}`)
    heard += value
  }
  const rest = async (): Promise<void> => {
    while (!(await reader.read()).done);
  }
  return { over: rest().catch(() => {}) }
}
