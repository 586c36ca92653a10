// Everything a server can offer, whatever SDK and transport it speaks through: the tools, and beside them tools that ask, prompts
// and a counter to follow.
import { createTools, text } from './tools.mjs'

const string = { type: 'string' }
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
  'elicitation/create': ({ action, content }) => `${action}: ${content?.name}`,
  'sampling/createMessage': ({ content }) => `sampled: ${content.text}`,
  'roots/list': ({ roots }) => `roots: ${roots.map(({ uri }) => uri).join(' ')}`,
}

/** What a tool answers once its question has been. */
export const sayAnswer = ({ method }, answer) => text(sayings[method](answer))

/** `told` has `toolsChanged`, `promptsChanged` and `updated(uri)`: how clients hear of each. */
export const createBoard = (told) => {
  const tools = createTools(told.toolsChanged)
  const prompts = new Set(['hello'])
  let counter = 0
  const handlers = {
    bump: async () => {
      counter += 1
      await told.updated(counterUri)
      return text(counter)
    },
    grow_prompt: async ({ key }) => {
      prompts.add(`grown_${key}`)
      await told.promptsChanged()
      return text('grown')
    },
  }
  const own = [...Object.keys(questions), ...Object.keys(handlers)]
  return {
    ...tools,
    instructions: 'Ask away.',
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    },
    list: () => [
      ...tools.list(),
      ...own.map((name) => ({ name, description: `Fixture: ${name}`, inputSchema: { type: 'object' } })),
    ],
    /** What the tool of this name asks before it answers. */
    question: (name) => questions[name],
    call: (name, args = {}, context) =>
      Object.hasOwn(handlers, name) ? handlers[name](args) : tools.call(name, args, context),
    prompts: () => [...prompts].map((name) => ({ name, description: 'A greeting' })),
    getPrompt: (name) => ({ messages: [{ role: 'user', content: { type: 'text', text: `prompt ${name}` } }] }),
    resources: () => [{ uri: counterUri, name: 'counter', mimeType: 'text/plain' }],
    read: (uri) => ({ contents: [{ uri, mimeType: 'text/plain', text: String(counter) }] }),
  }
}

/** The tools alone, or all of it for whoever starts the program with `board`. */
export const createOffer = (told) =>
  process.argv.includes('board') ? createBoard(told) : createTools(told.toolsChanged)
