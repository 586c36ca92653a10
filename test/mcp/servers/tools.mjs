// The tools that every fixture server offers, whatever SDK and transport it speaks through.

const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }
const anything = { type: 'object' }

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })

/** One server's tools. `announce` tells every client that the list has changed. */
export const createTools = (announce) => {
  const grown = new Set()
  let hanging = 0
  let cancelled = 0

  const handlers = {
    add: ({ a, b }) => text(a + b),
    echo: (args) => text(JSON.stringify(args)),
    fail: () => ({ ...text('boom'), isError: true }),
    steps: async (_args, { progress }) => {
      await progress({ progress: 1, total: 2, message: 'one' })
      await progress({ progress: 2, total: 2, message: 'two' })
      return text('done')
    },
    hang: (_args, { signal }) =>
      new Promise((_, reject) => {
        hanging += 1
        signal.addEventListener('abort', () => {
          cancelled += 1
          reject(new Error('cancelled'))
        })
      }),
    // What became of `hang`, asked by a client that wants to know without waiting by the clock.
    hung: () => text(JSON.stringify({ hanging, cancelled })),
    grow: async ({ name = 'extra' }) => {
      grown.add(name)
      await announce()
      return text(name)
    },
    pid: () => text(process.pid),
    crash: () => process.exit(3),
  }

  return {
    list: () => [
      ...Object.keys(handlers).map((name) => ({
        name,
        description: `The fixture's ${name}`,
        inputSchema: name === 'add' ? numbers : anything,
      })),
      ...[...grown].sort().map((name) => ({ name, description: 'Grown on request', inputSchema: anything })),
    ],
    /** `context` has `signal` and `progress`. A name that nobody knows is an error of the protocol, not of a tool. */
    call: async (name, args = {}, context) => {
      if (grown.has(name)) return text(`grown ${name}`)
      if (Object.hasOwn(handlers, name)) return handlers[name](args, context)
      throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 })
    },
    reset: () => {
      grown.clear()
      hanging = 0
      cancelled = 0
    },
  }
}
