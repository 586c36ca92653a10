// The tools of the bench, and the messages about them that every party writes the same way.
export const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
}

/** `echo`, then `big`, then as many more as asked for, of the size that real servers' tools have. */
export const toolsOf = (count) => [echo, big, ...Array.from({ length: Math.max(0, count - 2) }, toTool)].slice(0, count)

const toTool = (_, index) => ({
  name: `tool_${index + 1}`,
  description: `Does the piece of work number ${index + 1} for whoever asks, and tells what came of it in a sentence or two.`,
  inputSchema: schema(4),
})

const schema = (parameters) => ({
  type: 'object',
  properties: Object.fromEntries([
    ['text', { type: 'string' }],
    ...Array.from({ length: parameters - 1 }, (_, index) => [
      `parameter_${index}`,
      { type: 'string', description: `What the work number ${index} is about` },
    ]),
  ]),
  required: ['text'],
})

const echo = { name: 'echo', description: 'Gives the text back', inputSchema: schema(1) }
const big = {
  name: 'big',
  description: 'Gives a long text',
  inputSchema: {
    type: 'object',
    properties: { bytes: { type: 'integer' }, chinese: { type: 'boolean' } },
    required: ['bytes'],
  },
}

/** What `big` answers: lines as programs print them, of so many bytes in all; it ends with `bigEnd`. */
export const bigText = ({ bytes, chinese = false }) => {
  const message = chinese ? '长长的回答由这样一行一行的文字组成' : 'one of the lines that a long answer is made of'
  const line = `{"level": "info", "message": "${message}"}\n`
  const room = bytes - bigEnd.length
  const lines = line.repeat(Math.floor(room / Buffer.byteLength(line)))
  return lines.padEnd(lines.length + room - Buffer.byteLength(lines), '.') + bigEnd
}
export const bigEnd = 'the end of a long text'

export const request = (id, method, params = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })

/** The result of a request to a server with these tools, in both eras. */
export const answerOf = ({ method, params }, tools) => {
  if (method === 'tools/call') {
    const text = params.name === 'big' ? bigText(params.arguments) : params.arguments.text
    return { resultType: 'complete', content: [{ type: 'text', text }] }
  }
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'upstream', version: '1' },
    }
  if (method === 'ping') return {}
  if (method === 'tools/list') return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools }
  if (method === 'server/discover')
    return {
      resultType: 'complete',
      supportedVersions: [version],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    }
  return undefined
}
