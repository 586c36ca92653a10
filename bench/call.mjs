// What a call costs beside the function it carries. All rows run interleaved in one process; compare them as ratios.
import Ajv from 'ajv'
import { createGateway, defineTool, localCaller } from '../dist/index.js'
import { measure, table } from './measure.mjs'

const input = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 80 },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    unit: { enum: ['c', 'f'] },
  },
  required: ['city'],
  additionalProperties: false,
}
const args = { city: 'Oslo', days: 3, unit: 'c' }
const forecast = ({ city, days }) => ({ city, days, sky: 'clear' })
const forecastLater = async (given) => forecast(given)

const boardOf = (size, handler) => {
  const gateway = createGateway()
  for (let index = 0; index < size; index++)
    gateway.register(defineTool({ name: `tool_${index}`, description: `Tool number ${index}`, input, handler }))
  return gateway
}
const check = new Ajv().compile(input)

/** The rules without the design: a promise per rule, ajv, a timer, a try/finally. */
const naive = async (handler) => {
  await Promise.resolve()
  if (!check(args)) throw new Error('invalid')
  await Promise.resolve()
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), 30_000)
  })
  const startedAt = performance.now()
  try {
    return await Promise.race([Promise.resolve().then(() => handler(args)), late])
  } finally {
    clearTimeout(timer)
    performance.now() - startedAt
  }
}

export const benchCall = async () => {
  const sizes = [10, 1000, 100_000]
  const rows = {
    'bare function': () => forecast(args),
    'bare async function': () => forecastLater(args),
    'bare ajv validation': () => check(args),
    'naive promise chain': () => naive(forecast),
    'naive promise chain, async tool': () => naive(forecastLater),
  }
  for (const size of sizes) {
    const gateway = boardOf(size, forecast)
    const later = boardOf(size, forecastLater)
    const call = { tool: `tool_${size - 1}`, args, caller: localCaller }
    rows[`callSync, ${size} tools`] = () => gateway.callSync(call)
    rows[`call, ${size} tools`] = () => gateway.call(call)
    rows[`call, async tool, ${size} tools`] = () => later.call(call)
  }
  const costs = await measure(rows)
  const bare = costs['bare function']
  table(
    'One call (validate + admit + deadline + record), µs',
    ['case', 'µs per call', 'added µs', 'times the naive chain'],
    Object.entries(costs).map(([name, us]) => [
      name,
      us.toFixed(2),
      (us - bare).toFixed(2),
      (us / costs['naive promise chain']).toFixed(2),
    ]),
  )
  const added = Object.entries(costs)
    .filter(([name]) => name.startsWith('call'))
    .map(([, us]) => us - bare)
  return [
    { claim: 'a call adds at most 15 µs', value: Math.max(...added), limit: 15, unit: 'µs' },
    {
      claim: 'flat from 10 to 100,000 tools (call, largest / smallest)',
      value: costs['call, 100000 tools'] / costs['call, 10 tools'],
      limit: 1.6,
      unit: '×',
    },
  ]
}
