/** One MCP client whose requests may go to a different replica each time, as a balancer sends them. */
type Message = any

const accept = 'application/json, text/event-stream'

/** What a server sent on one answer, as it comes. */
export class Answering {
  readonly response: Response
  readonly #messages: AsyncGenerator<Message>

  constructor(response: Response) {
    this.response = response
    this.#messages = messagesOf(response)
  }

  /** The next message; rejects when the stream is over. */
  async next(): Promise<Message> {
    const { done, value } = await this.#messages.next()
    if (done) throw new Error('The answer is over.')
    return value
  }

  /** The first that fits. */
  async find(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = await this.next()
      if (fits(message)) return message
    }
  }
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield JSON.parse(text)
    return
  }
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop()!
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice(6))
      if (data.length > 0) yield JSON.parse(data.join('\n'))
    }
  }
}

/** A client with a session: it begins at one replica and may go on at any. */
export class LegacyClient {
  readonly #session: string
  readonly #key: string | undefined

  private constructor(session: string, key: string | undefined) {
    this.#session = session
    this.#key = key
  }

  static async begin(url: string, key?: string): Promise<LegacyClient> {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} },
      clientInfo: { name: 'one client', version: '1' },
    }
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...bearer(key) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    })
    await response.text()
    const client = new LegacyClient(response.headers.get('mcp-session-id')!, key)
    await (await client.post(url, { method: 'notifications/initialized' })).text()
    return client
  }

  get #headers(): Record<string, string> {
    return { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-11-25', ...bearer(this.#key) }
  }

  post(url: string, message: Message): Promise<Response> {
    return fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...this.#headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  }

  async call(url: string, id: number | string, name: string, args: Message = {}): Promise<Answering> {
    return new Answering(await this.post(url, { id, method: 'tools/call', params: { name, arguments: args } }))
  }

  async listen(url: string, signal?: AbortSignal): Promise<Answering> {
    const headers = { accept: 'text/event-stream', ...this.#headers }
    return new Answering(await fetch(`${url}/mcp`, { headers, ...(signal ? { signal } : {}) }))
  }
}

/** One request of a client without a session. */
export const modernCall = async (url: string, name: string, more: Message = {}, key?: string): Promise<Answering> => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    'io.modelcontextprotocol/clientInfo': { name: 'asked', version: '1' },
  }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...bearer(key),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {}, ...more, _meta },
    }),
  })
  return new Answering(response)
}

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }
