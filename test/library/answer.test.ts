import { afterEach, describe, expect, it } from 'vitest'
import { createGateway, defineTool, type Gateway } from '../../src/index.js'

const add = defineTool({
  name: 'add',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  },
  handler: ({ a, b = 1 }: { a: number; b?: number }) => a + b,
})

let gateway: Gateway
afterEach(() => gateway?.close())
const board = () => (gateway = createGateway({ tools: [add] }))

describe("a provider's message", () => {
  const chat = {
    choices: [
      {
        message: {
          role: 'assistant',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
            { id: 'c2', type: 'function', function: { name: 'add', arguments: '{"a":"x"}' } },
            { id: 'c3', type: 'function', function: { name: 'gone', arguments: '{}' } },
          ],
        },
      },
    ],
  }

  it('of OpenAI is answered by tool messages, failures included', async () => {
    const { format, calls, messages } = await board().answer(chat)
    expect([format, calls]).toEqual(['openai', 3])
    expect(messages[0]).toEqual({ role: 'tool', tool_call_id: 'c1', content: '3' })
    expect(messages[1]).toMatchObject({ tool_call_id: 'c2', content: expect.stringContaining("'/a'") })
    expect(messages[2]).toMatchObject({ tool_call_id: 'c3', content: expect.stringContaining('Tool not found') })
  })

  it('of Anthropic, Gemini and the Responses API is known by its form', async () => {
    const use = { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } }
    expect(await board().answer({ role: 'assistant', content: [use] })).toEqual({
      format: 'anthropic',
      calls: 1,
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '2' }] }] },
      ],
    })
    const parts = [{ functionCall: { name: 'add', args: { a: 2 } } }]
    expect(await gateway.answer({ candidates: [{ content: { role: 'model', parts } }] })).toMatchObject({
      format: 'gemini',
      messages: [{ role: 'user', parts: [{ functionResponse: { name: 'add', response: { output: 3 } } }] }],
    })
    const item = { type: 'function_call', call_id: 'f1', name: 'add', arguments: '{"a":3,"b":null}' }
    expect(await gateway.answer({ output: [item] })).toMatchObject({
      format: 'openai-responses',
      messages: [{ type: 'function_call_output', call_id: 'f1', output: '4' }],
    })
  })

  it('without calls has no answers, so that a loop ends', async () => {
    const done = { role: 'assistant', content: 'Done.' }
    expect(await board().answer(done)).toEqual({ format: 'openai', calls: 0, messages: [] })
  })

  it('is carried for the caller it is given, within their time', async () => {
    const outcomes: string[] = []
    board().onCall((record) => outcomes.push(`${record.caller} ${record.tool}`))
    await gateway.answer(chat, { caller: { id: 'ann', rights: ['call'] } })
    expect(outcomes).toHaveLength(3)
    expect(outcomes[0]).toBe('ann add')
  })

  it('that nobody knows is refused with what to do', async () => {
    await expect(board().answer('hello')).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: expect.stringContaining('as the provider gave it'),
    })
    await expect(gateway.answer(chat, { format: 'anthropic' })).rejects.toThrow("in the format 'anthropic'")
    await expect(gateway.answer(chat, { format: 'smoke' as never })).rejects.toThrow('Choose one of openai')
  })
})
