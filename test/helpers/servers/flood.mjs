// Floods of bytes, made piece by piece so that this process itself stays small. `write` may refuse more.
const mebibyte = 'x'.repeat(1024 * 1024)

const pump = async (out, pieces) => {
  for (const piece of pieces) {
    if (out.destroyed || out.writableEnded) return
    if (!out.write(piece)) await more(out)
  }
}

/** There is room again, or nobody reads any more. */
const more = (out) =>
  new Promise((resolve) => {
    const done = () => {
      out.off('drain', done)
      out.off('close', done)
      resolve()
    }
    out.on('drain', done)
    out.on('close', done)
  })

function* repeat(piece, times) {
  for (let index = 0; index < times; index++) yield piece
}

const head = (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`
const tail = '"}]}}'

/** The answers that no source should give, by the tool that gives them. */
export const floods = {
  /** One answer of a gigabyte. */
  huge: async (out, id) => {
    await pump(out, [head(id), ...repeat(mebibyte, 1024), tail, '\n'])
  },
  /** A line that never ends. */
  endless: (out) => pump(out, repeat(mebibyte, Number.POSITIVE_INFINITY)),
  /** JSON of 100,000 levels. */
  deep: async (out, id) => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await pump(out, [`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${nested}}}\n`])
  },
}

export const answerOf = ({ method, params }, tools) => {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }
  if (method === 'tools/list') return { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }
  return method === 'ping' ? {} : undefined
}
