// Register functions, list them for a model, call them.   node examples/first-tools.mjs
import assert from 'node:assert/strict'
import { createGateway, defineTool, isGatewayError } from 'pegboard'

const board = createGateway()

board.register(
  defineTool({
    name: 'forecast',
    description: 'The weather of the next days in a city',
    input: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 14, default: 3 } },
      required: ['city'],
    },
    handler: ({ city, days }) => ({ city, days, sky: 'clear' }),
  }),
)

// What a provider's request takes, as it is.
const { tools } = board.toolsFor('openai')
assert.equal(tools[0].function.name, 'forecast')

// Defaults are merged in; the answer is the function's own value.
assert.deepEqual(await board.run('forecast', { city: 'Oslo' }), { city: 'Oslo', days: 3, sky: 'clear' })

// What is wrong is named, with its path and without its value.
const error = await board.run('forecast', { days: 99 }).catch((thrown) => thrown)
assert(isGatewayError(error))
assert.equal(error.code, 'ARGUMENTS_INVALID')
console.log(error.message)

await board.close()
console.log('first-tools: ok')
