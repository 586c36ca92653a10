import { Bell, type StoryCall, type StoryClient } from './client.js'
import {
  initializeParams,
  isListChanged,
  type RawEra,
  type RawMessage,
  rawRequest,
  resultOf,
  storyResultOf,
} from './raw-messages.js'

/** Streamable HTTP by hand, as the spec of each era words it. */
export const rawOverHttp = async (era: RawEra, url: string): Promise<StoryClient> => {
  const bell = new Bell()
  const leaving = new AbortController()
  const session: Record<string, string> = {}
  let lastId = 0

  const send = (message: RawMessage, signal: AbortSignal = leaving.signal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...(era === 'modern' ? modernHeaders(message) : {}),
      },
      body: JSON.stringify(message),
    })
  const ask = async (
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: StoryCall = {},
  ): Promise<RawMessage> => {
    const id = ++lastId
    const message = rawRequest(era, id, method, params, onProgress ? `token ${id}` : undefined)
    // Leaving cancels in the modern era only; before it, a notification does.
    const cancel = () => void send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
    if (era === 'legacy') signal?.addEventListener('abort', cancel, { once: true })
    const response = await send(message, era === 'modern' && signal ? signal : leaving.signal)
    let answer: RawMessage
    for await (const part of messagesOf(response)) {
      if (part.method === 'notifications/progress') onProgress?.(part.params.progress)
      else answer = part
    }
    return { answer, response }
  }
  const hear = async (response: Response): Promise<void> => {
    for await (const message of messagesOf(response)) if (isListChanged(message)) bell.ring()
  }

  if (era === 'legacy') {
    const { answer, response } = await ask('initialize', initializeParams)
    resultOf(answer)
    session['mcp-session-id'] = response.headers.get('mcp-session-id')
    session['mcp-protocol-version'] = initializeParams.protocolVersion
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const stream = fetch(url, { headers: { ...session, accept: 'text/event-stream' }, signal: leaving.signal })
    hear(await stream).catch(() => {})
  } else {
    const listen = rawRequest(era, 'listen', 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    hear(await send(listen)).catch(() => {})
  }

  return {
    list: async () => resultOf((await ask('tools/list', {})).answer).tools.map((tool: { name: string }) => tool.name),
    call: async (name, args, options) =>
      storyResultOf((await ask('tools/call', { name, arguments: args }, options)).answer),
    changed: () => bell.heard(),
    close: async () => leaving.abort(),
  }
}

const modernHeaders = ({ method, params }: RawMessage): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(typeof params?.name === 'string' ? { 'mcp-name': params.name } : {}),
})

async function* messagesOf(response: Response): AsyncGenerator<RawMessage> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!isStream) {
    const text = await response.text()
    if (text !== '') yield JSON.parse(text)
    return
  }
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop()!
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6))
  }
}
