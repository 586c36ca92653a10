// The tools that every fixture server offers, whatever SDK and transport it speaks through.

const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }
const anything = { type: 'object' }

export const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })

/** One server's tools. `announce` tells every client that the list has changed. */
export const createTools = (announce) => {
  const grown = new Set()
  const hung = new Map()
  const waiting = new Map()

  const handlers = {
    add: ({ a, b }) => text(a + b),
    echo: (args) => text(JSON.stringify(args)),
    fail: () => ({ ...text('boom'), isError: true }),
    // With a key it ends only when `release` is called: the SDK clients drop progress that arrives along with the answer.
    steps: async ({ key }, { progress }) => {
      const released = key === undefined ? undefined : new Promise((resolve) => waiting.set(key, resolve))
      await progress({ progress: 1, total: 2, message: 'one' })
      await progress({ progress: 2, total: 2, message: 'two' })
      await released
      return text('done')
    },
    release: ({ key }) => {
      waiting.get(key)?.()
      return text(waiting.delete(key))
    },
    hang: ({ key = '' }, { signal }) =>
      new Promise((_, reject) => {
        hung.set(key, 'running')
        signal.addEventListener('abort', () => {
          hung.set(key, 'cancelled')
          reject(new Error('cancelled'))
        })
      }),
    // What became of a `hang`, for whoever wants to know without waiting by the clock.
    hung: ({ key = '' }) => text(hung.get(key) ?? 'unknown'),
    grow: async ({ name = 'extra' }) => {
      grown.add(name)
      await announce()
      return text(name)
    },
    pid: () => text(process.pid),
    crash: () => process.exit(3),
  }

  return {
    capabilities: { tools: { listChanged: true } },
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
    /** Ends every `steps` that waits. */
    releaseAll: () => {
      for (const release of waiting.values()) release()
      waiting.clear()
    },
    reset: () => {
      grown.clear()
      hung.clear()
    },
  }
}
