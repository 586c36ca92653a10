// A server with what a call by hand has to deal with: nested arguments, questions, progress, pictures and sounds.
import { createInterface } from 'node:readline'

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const words = (text) => ({ content: [{ type: 'text', text }] })

const place = {
  type: 'object',
  title: 'Place',
  properties: {
    street: { type: 'string', minLength: 2 },
    city: { type: 'string', description: 'Where it is' },
    within: { $ref: '#/$defs/place', description: 'What this place is a part of' },
  },
  required: ['city'],
}

const order = {
  type: 'object',
  properties: {
    customer: {
      type: 'object',
      description: 'Who orders',
      properties: {
        name: { type: 'string' },
        email: { type: 'string', format: 'email' },
        birthday: { type: ['string', 'null'], format: 'date' },
      },
      required: ['name'],
    },
    lines: {
      type: 'array',
      description: 'What is ordered',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          sku: { type: 'string', examples: ['hammer-3'] },
          count: { type: 'integer', minimum: 1, maximum: 99, default: 1 },
        },
        required: ['sku', 'count'],
      },
    },
    delivery: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'pickup' }, at: { type: 'string', format: 'date-time' } },
          required: ['kind', 'at'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'ship' }, to: { $ref: '#/$defs/place' } },
          required: ['kind', 'to'],
        },
      ],
    },
    priority: { enum: ['low', 'high'], default: 'low', description: 'How soon' },
    labels: { type: 'object', additionalProperties: { type: 'string' }, description: 'Words of your own' },
    gift: { type: 'boolean' },
    message: { type: 'string', description: 'Goes on the card' },
    extra: {},
  },
  required: ['customer', 'lines', 'delivery'],
  additionalProperties: false,
  $defs: { place },
}

const nothing = { type: 'object', properties: {} }
const tools = [
  {
    name: 'order',
    title: 'Order tools',
    description: 'Orders from the workshop.',
    inputSchema: order,
    annotations: { destructiveHint: true, openWorldHint: true },
  },
  {
    name: 'ask',
    description: 'Asks who you are, and greets you.',
    inputSchema: nothing,
    annotations: { readOnlyHint: true, idempotentHint: true },
  },
  { name: 'ask_page', description: 'Asks you to open a page.', inputSchema: nothing },
  { name: 'ask_model', description: 'Asks a model.', inputSchema: nothing },
  {
    name: 'show',
    description: 'Shows a picture, a sound and resources.',
    inputSchema: nothing,
    annotations: { readOnlyHint: true },
  },
  { name: 'count', description: 'Counts, and then waits until it is cancelled.', inputSchema: nothing },
  {
    name: 'counted',
    description: 'What became of the counting.',
    inputSchema: nothing,
    annotations: { readOnlyHint: true },
  },
]

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsGtgU5/mN4JvYbACS02/FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywK5GzDiT2zg+gAAAABJRU5ErkJggg=='

/** A tenth of a second of silence, as a file that says of itself what it is. */
const silence = () => {
  const samples = Buffer.alloc(800, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples]).toString('base64')
}

const shown = {
  content: [
    { type: 'text', text: '<img src=x onerror="window.hacked=1"> is only text' },
    { type: 'image', data: pixel, mimeType: 'image/png' },
    {
      type: 'image',
      data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
      mimeType: 'image/svg+xml',
    },
    { type: 'audio', data: silence(), mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'workshop://note', mimeType: 'text/html', text: '<b>not bold</b>' } },
    { type: 'resource_link', uri: 'https://example.com/manual', name: 'manual', description: 'How to use a hammer' },
  ],
  structuredContent: { hammers: 3 },
}

const questions = {
  ask: {
    method: 'elicitation/create',
    params: {
      message: 'Who are you?',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'As on your badge' },
          colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
          news: { type: 'boolean', default: false },
        },
        required: ['name'],
      },
    },
  },
  ask_page: {
    method: 'elicitation/create',
    params: {
      mode: 'url',
      message: 'Please pay there.',
      url: 'https://example.com/pay?for=hammer',
      elicitationId: 'e1',
    },
  },
  ask_model: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 5 },
  },
}

const waiting = new Map()
let asked = 0
let counting = 'never'

const call = (id, { name, arguments: args = {}, _meta = {} }) => {
  if (questions[name]) {
    const question = `question-${++asked}`
    waiting.set(question, id)
    return send({ id: question, ...questions[name] })
  }
  if (name === 'count') {
    counting = id
    return send({
      method: 'notifications/progress',
      params: { progressToken: _meta.progressToken, progress: 2, total: 5, message: 'two of five' },
    })
  }
  if (name === 'counted') return send({ id, result: words(typeof counting === 'string' ? counting : 'counting') })
  if (name === 'show') return send({ id, result: shown })
  return send({ id, result: words(JSON.stringify(args)) })
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'workshop', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, result, error } = JSON.parse(line)
  if (method === undefined && waiting.has(id)) {
    const told = error ? `refused: ${error.message}` : JSON.stringify(result)
    send({ id: waiting.get(id), result: { ...words(told), ...(error ? { isError: true } : {}) } })
    waiting.delete(id)
  } else if (method === 'notifications/cancelled') counting = 'cancelled'
  else if (method === 'tools/call') call(id, params)
  else if (id !== undefined && answers[method]) send({ id, result: answers[method](params) })
  else if (id !== undefined) send({ id, error: { code: -32601, message: `Unknown method ${method}` } })
})
