// A server with prompts and resources: text, a template, a picture, bytes, and one that refuses.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
process.stderr.write('library: open\n')

// One red pixel.
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

const contents = {
  'library://rules': { mimeType: 'application/json', text: '{"quiet":true}' },
  'library://mark': { mimeType: 'image/png', blob: picture },
  'library://film': { mimeType: 'application/octet-stream', blob: Buffer.alloc(3000).toString('base64') },
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'library', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'lend', description: 'Lends a book.', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'lent' }] }),
  'prompts/list': () => ({
    prompts: [
      {
        name: 'review',
        description: 'Reviews a book for a reader.',
        arguments: [
          { name: 'title', description: 'Of the book', required: true },
          { name: 'tone', description: 'Kind or strict' },
        ],
      },
      { name: 'greeting', description: 'Greets.' },
    ],
  }),
  'prompts/get': ({ name, arguments: args = {} }) => ({
    description: `As ${name}`,
    messages: [
      {
        role: 'user',
        content: { type: 'text', text: `Review ${args.title ?? 'nothing'} in a ${args.tone ?? 'plain'} tone.` },
      },
      { role: 'assistant', content: { type: 'image', data: picture, mimeType: 'image/png' } },
    ],
  }),
  'resources/list': () => ({
    resources: [
      { uri: 'library://rules', name: 'rules', description: 'Of the house', mimeType: 'application/json', size: 14 },
      { uri: 'library://mark', name: 'mark', mimeType: 'image/png' },
      { uri: 'library://film', name: 'film', mimeType: 'application/octet-stream' },
    ],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'library://books/{number}', name: 'book', description: 'One book' }],
  }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, ...(contents[uri] ?? { mimeType: 'text/plain', text: `This is ${uri}.` }) }],
  }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  if (answer) send({ id, result: answer(params) })
  else send({ id, error: { code: -32601, message: `Unknown method ${method}` } })
})
