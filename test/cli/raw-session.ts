/** A legacy session over HTTP for whatever method, with the answers as they come. */
export interface RawSession {
  readonly instructions: string
  ask(method: string, params?: object): Promise<any>
  close(): Promise<void>
}

export const legacySession = async (url: string): Promise<RawSession> => {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let id = 0
  const post = (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const ask = async (method: string, params: object = {}): Promise<any> => {
    const response = await post({ id: ++id, method, params })
    const text = await response.text()
    const session = response.headers.get('mcp-session-id')
    if (session) headers['mcp-session-id'] = session
    const data = /^data: (.*"id":.*)$/m.exec(text)
    return JSON.parse(data ? data[1]! : text)
  }
  const { result } = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  })
  await post({ method: 'notifications/initialized' })
  return {
    instructions: result.instructions ?? '',
    ask,
    close: async () => void (await fetch(url, { method: 'DELETE', headers })),
  }
}
