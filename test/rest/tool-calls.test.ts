import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { restTools, type Served, serveRest } from '../helpers/serve-rest.js'

let served: Served
beforeAll(async () => {
  const gateway = createGateway({
    tools: [
      ...restTools(),
      defineTool({
        name: 'net.lookup',
        description: 'Looks a host name up',
        input: {
          type: 'object',
          properties: { host: { type: 'string' }, port: { type: 'integer' } },
          required: ['host'],
          additionalProperties: false,
        },
        handler: (args) => args,
      }),
      defineTool({ name: 'measure', handler: () => ({ content: [], structuredContent: { degrees: 21 } }) }),
      defineTool({
        name: 'draw',
        description: 'Draws a picture',
        handler: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }),
      }),
    ],
  })
  served = await serveRest({ gateway })
})
afterAll(() => served.close())

const post = async (message: unknown, query = '') =>
  (await served.ask('POST', `/api/v1/tool-calls${query}`, message)).json

describe('a Chat Completions message', () => {
  it('is answered with a tool message per call', async () => {
    const call = (id: string, name: string, args: string) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [call('c1', 'add', '{"a":1,"b":2}'), call('c2', 'nope', '{}'), call('c3', 'add', '{oops')],
    }
    const { provider, messages } = await post(message)
    expect(provider).toBe('openai')
    expect(messages[0]).toEqual({ role: 'tool', tool_call_id: 'c1', content: '{"sum":3}' })
    expect(messages[1].content).toMatch(/not found/i)
    expect(messages[2].content).toMatch(/not JSON/)
    const completion = await post({ choices: [{ message }] })
    expect(completion.messages).toHaveLength(3)
  })

  it('loses the nulls that strict mode made the model write', async () => {
    const { tools, names } = (await served.ask('GET', '/api/v1/tools?format=openai-strict&id=net.*')).json
    const { name, parameters, strict } = tools[0].function
    expect([names[name], strict, parameters.required]).toEqual(['net.lookup', true, ['host', 'port']])
    const { messages } = await post({
      tool_calls: [{ id: 'x', type: 'function', function: { name, arguments: '{"host":"h","port":null}' } }],
    })
    expect(messages[0].content).toBe('{"host":"h"}')
  })
})

describe('a Responses response', () => {
  it('is answered with output items, pictures included', async () => {
    const { provider, messages } = await post({
      output: [
        { type: 'reasoning', summary: [] },
        { type: 'function_call', call_id: 'a', name: 'say', arguments: '{}' },
        { type: 'function_call', call_id: 'b', name: 'draw', arguments: '' },
      ],
    })
    expect(provider).toBe('openai-responses')
    expect(messages).toEqual([
      { type: 'function_call_output', call_id: 'a', output: 'hello' },
      {
        type: 'function_call_output',
        call_id: 'b',
        output: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }],
      },
    ])
  })

  it('that searches for tools gets their definitions', async () => {
    const { messages } = await post([
      { type: 'tool_search_call', execution: 'client', call_id: 's', arguments: { query: 'add numbers', limit: 1 } },
    ])
    expect(messages[0]).toMatchObject({
      type: 'tool_search_output',
      call_id: 's',
      execution: 'client',
      status: 'completed',
      tools: [{ type: 'function', name: 'add', defer_loading: true }],
    })
  })
})

describe('an Anthropic message', () => {
  it('is answered with one message of results', async () => {
    const { provider, messages } = await post({
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see' },
        { type: 'tool_use', id: 't1', name: 'add', input: { a: 2, b: 2 } },
        { type: 'tool_use', id: 't2', name: 'refuse', input: {} },
        { type: 'tool_use', id: 't3', name: 'draw', input: {} },
      ],
    })
    expect(provider).toBe('anthropic')
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '{"sum":4}' }] },
          { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'no' }], is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 't3',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
          },
        ],
      },
    ])
  })

  it('gets a structure without content as text', async () => {
    const message = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'measure', input: {} }] }
    const { messages } = await post(message)
    expect(messages[0].content[0].content).toEqual([{ type: 'text', text: '{"degrees":21}' }])
  })

  it('that searches deferred tools gets references to them', async () => {
    const list = (await served.ask('GET', '/api/v1/tools?format=anthropic&defer=true')).json
    expect(list.tools[0]).toMatchObject({ name: 'search_tools', input_schema: { required: ['query'] } })
    expect(list.tools[0].defer_loading).toBeUndefined()
    expect(list.tools.slice(1).every((tool: any) => tool.defer_loading === true)).toBe(true)
    const { messages } = await post({
      content: [{ type: 'tool_use', id: 's', name: 'search_tools', input: { query: 'look up a host name', limit: 1 } }],
    })
    const [{ content }] = messages[0].content
    expect(content).toEqual([{ type: 'tool_reference', tool_name: expect.stringContaining('net_lookup') }])
    expect(list.names[content[0].tool_name]).toBe('net.lookup')
  })
})

describe('a Gemini content', () => {
  it('is answered with function responses', async () => {
    const content = { role: 'model', parts: [{ functionCall: { id: 'g', name: 'add', args: { a: 5, b: 5 } } }] }
    const { provider, messages } = await post({ candidates: [{ content }] })
    expect(provider).toBe('gemini')
    expect(messages).toEqual([
      { role: 'user', parts: [{ functionResponse: { id: 'g', name: 'add', response: { output: { sum: 10 } } } }] },
    ])
    const refused = await post({ parts: [{ functionCall: { name: 'refuse', args: {} } }] })
    expect(refused.messages[0].parts[0].functionResponse.response).toEqual({ error: 'no' })
  })
})

describe('other bodies', () => {
  it.each([[{}], [[]], [{ hello: 1 }]])('are refused: %j', async (body) => {
    expect((await served.ask('POST', '/api/v1/tool-calls', body)).status).toBe(400)
  })

  it.each([
    ['openai', { role: 'assistant', content: 'All done.' }],
    ['openai', { role: 'assistant', content: null, tool_calls: null }],
    ['openai', { choices: [{ message: { role: 'assistant', content: 'All done.' } }] }],
    ['anthropic', { role: 'assistant', content: [{ type: 'text', text: 'All done.' }] }],
    ['gemini', { role: 'model', parts: [{ text: 'All done.' }] }],
    ['openai-responses', { output: [{ type: 'message', content: [] }] }],
  ])('of %s that ask for nothing get nothing, so that a loop ends: %j', async (provider, body) => {
    expect(await post(body)).toEqual({ provider, messages: [] })
  })

  it('may name their provider', async () => {
    expect((await post({ output: [] }, '?provider=openai-responses')).messages).toEqual([])
  })
})

describe('lists for loading on demand', () => {
  it('group functions into namespaces for OpenAI', async () => {
    const gateway = createGateway({ tools: [defineTool({ name: 'here', handler: () => 1 })] })
    await gateway.addSource('crm', {
      kind: 'fixture',
      watch: async (onTools, signal) => {
        onTools({ type: 'all', tools: [{ definition: { name: 'find', inputSchema: { type: 'object' } } }] })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
      call: () => ({ type: 'value', value: 1 }),
      [Symbol.asyncDispose]: async () => {},
    })
    const own = await serveRest({ gateway })
    const { tools } = (await own.ask('GET', '/api/v1/tools?format=openai-responses&defer')).json
    expect(tools).toEqual([
      { type: 'tool_search' },
      {
        type: 'namespace',
        name: 'crm',
        description: '1 tools of crm: find.',
        tools: [expect.objectContaining({ type: 'function', name: 'crm__find', defer_loading: true })],
      },
      expect.objectContaining({ type: 'function', name: 'here', defer_loading: true }),
    ])
    expect((await own.ask('GET', '/api/v1/tools?format=gemini&defer')).status).toBe(400)
    await own.close()
  })
})
