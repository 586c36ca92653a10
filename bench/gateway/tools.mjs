// The tools of the bench, and the messages about them that every party writes the same way.
export const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
}

/** `echo` and as many more as asked for, of the size that real servers' tools have. */
export const toolsOf = (count) => [
  { name: 'echo', description: 'Gives the text back', inputSchema: schema(1) },
  ...Array.from({ length: count - 1 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does the piece of work number ${index} for whoever asks, and tells what came of it in a sentence or two.`,
    inputSchema: schema(4),
  })),
]

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

export const request = (id, method, params = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })

/** The result of a request to a server with these tools, in both eras. */
export const answerOf = ({ method, params }, tools) => {
  if (method === 'tools/call')
    return { resultType: 'complete', content: [{ type: 'text', text: params.arguments.text }] }
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
