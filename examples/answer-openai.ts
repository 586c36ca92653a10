// Answer the tool calls of an OpenAI message; Anthropic's, Gemini's and the Responses API's are told by their form.
import assert from 'node:assert/strict'
import { createGateway, exampleTools } from 'pegboard'

const board = createGateway({ tools: exampleTools() })
const request = { tools: board.toolsFor('openai').tools, messages: [] as object[] }
const call = { id: 'c1', type: 'function', function: { name: 'calculator', arguments: '{"expression":"6*7"}' } }
const message = { role: 'assistant', tool_calls: [call] } // of `await openai.chat.completions.create(request)`
request.messages.push(message, ...(await board.answer(message)).messages)
assert.deepEqual(request.messages[1], { role: 'tool', tool_call_id: 'c1', content: '{"success":true,"result":42}' })
console.log('answer-openai: ok')
