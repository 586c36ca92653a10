// What the surface fixtures of both eras have in common: tools that ask, wait and change things, prompts and a counter.
const string = { type: 'string' }
const keyed = { type: 'object', properties: { key: string }, required: ['key'] }
const text = (value) => ({ content: [{ type: 'text', text: value }] })

export const counterUri = 'board://counter'

export const questions = {
  ask_name: {
    method: 'elicitation/create',
    params: {
      message: 'Who are you?',
      requestedSchema: { type: 'object', properties: { name: string }, required: ['name'] },
    },
  },
  ask_model: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'A colour?' } }], maxTokens: 10 },
  },
  ask_roots: { method: 'roots/list', params: {} },
}

const sayings = {
  ask_name: ({ action, content }) => `${action}: ${content?.name}`,
  ask_model: ({ content }) => `sampled: ${content.text}`,
  ask_roots: ({ roots }) => `roots: ${roots.map(({ uri }) => uri).join(' ')}`,
}

/** What a tool answers once its question has been. */
export const sayAnswer = (name, answer) => text(sayings[name](answer))

export const createBoard = ({ updated, promptsChanged }) => {
  const hung = new Map()
  const waiting = new Map()
  const prompts = new Set(['hello'])
  let counter = 0
  const plain = {
    // Ends only when `release` is called: the SDK clients drop progress that arrives along with the answer.
    steps: async ({ key }, { progress }) => {
      const released = new Promise((resolve) => waiting.set(key, resolve))
      await progress({ progress: 1, total: 2 })
      await progress({ progress: 2, total: 2 })
      await released
      return text('done')
    },
    release: ({ key }) => {
      waiting.get(key)?.()
      return text(String(waiting.delete(key)))
    },
    hang: ({ key }, { signal }) => {
      hung.set(key, 'running')
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          hung.set(key, 'cancelled')
          reject(new Error('cancelled'))
        })
      })
    },
    hung: ({ key }) => text(hung.get(key) ?? 'unknown'),
    bump: async () => {
      counter += 1
      await updated(counterUri)
      return text(String(counter))
    },
    grow: async ({ key }) => {
      prompts.add(`grown_${key}`)
      await promptsChanged()
      return text('grown')
    },
  }
  const schemas = { steps: keyed, release: keyed, hang: keyed, hung: keyed, grow: keyed }
  return {
    tools: [...Object.keys(questions), ...Object.keys(plain)].map((name) => ({
      name,
      description: `Fixture: ${name}`,
      inputSchema: schemas[name] ?? { type: 'object', properties: {} },
    })),
    call: (name, args = {}, context) => plain[name](args, context),
    prompts: () => [...prompts].map((name) => ({ name, description: 'A greeting' })),
    getPrompt: (name) => ({ messages: [{ role: 'user', content: { type: 'text', text: `prompt ${name}` } }] }),
    resources: [{ uri: counterUri, name: 'counter', mimeType: 'text/plain' }],
    read: (uri) => ({ contents: [{ uri, mimeType: 'text/plain', text: String(counter) }] }),
  }
}

export const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
}
