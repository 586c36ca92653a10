import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { systemClock } from '../../model/clock.js'
import { defineTool, type FunctionTool } from '../functions/define-tool.js'
import { calculate } from './calculate.js'

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const

/** Tools to try things with, until there are real ones. None of them touches a file, a process or the network. */
export const exampleTools = (clock: Clock = systemClock): readonly FunctionTool[] => [
  defineTool({
    name: 'calculator',
    title: 'Calculator',
    description: 'Evaluates an arithmetic expression, for example "21*2+5" or "sqrt(2) ** 3". 计算数学表达式。',
    input: {
      type: 'object',
      properties: {
        expression: {
          type: 'string',
          description: 'The expression: + - * / // % ** ( ) and functions such as sqrt, min, round',
          examples: ['21*2+5'],
        },
        python_expression: { type: 'string', description: 'Another name for `expression`' },
      },
      // That one of them must be there is said by the handler: providers take no `anyOf` at the top of a schema.
    },
    annotations: readOnly,
    tags: ['example', 'math'],
    category: 'math',
    idempotent: true,
    handler: ({ expression, python_expression }) => ({
      success: true,
      result: calculate(expression ?? python_expression ?? nothingToCalculate()),
    }),
  }),
  defineTool({
    name: 'current_time',
    title: 'Current time',
    description: 'Tells the current date and time in a time zone. 查询当前日期和时间。',
    input: {
      type: 'object',
      properties: { timezone: { type: 'string', description: 'IANA name such as "Asia/Shanghai"', default: 'UTC' } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    tags: ['example', 'time'],
    category: 'time',
    handler: ({ timezone }) => currentTime(new Date(clock.wall()), timezone),
  }),
  defineTool({
    name: 'text_stats',
    title: 'Text statistics',
    description: 'Counts the characters, words, lines and bytes of a text. 统计文本的字数、词数、行数。',
    input: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text to count' } },
      required: ['text'],
    },
    annotations: readOnly,
    tags: ['example', 'text'],
    category: 'text',
    idempotent: true,
    handler: ({ text }) => textStats(text),
  }),
  defineTool({
    name: 'json_query',
    title: 'JSON query',
    description:
      'Reads one value out of a JSON text by its JSON pointer, for example "/items/0/name". 按路径读取 JSON 中的值。',
    input: {
      type: 'object',
      properties: {
        json: { type: 'string', description: 'A JSON text' },
        pointer: { type: 'string', description: 'A JSON pointer; empty for the whole', default: '' },
      },
      required: ['json'],
    },
    annotations: readOnly,
    tags: ['example', 'json'],
    category: 'text',
    idempotent: true,
    handler: ({ json, pointer }) => ({ value: jsonQuery(json, pointer) }),
  }),
]

const nothingToCalculate = (): never => {
  throw new GatewayError('ARGUMENTS_INVALID', 'There is nothing to calculate. Give an expression, such as "21*2+5".')
}

const currentTime = (now: Date, timezone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: timezone, weekday: 'long' }).format(now)
  return { timezone, local: format.format(now), weekday, utc: now.toISOString() }
}

const textStats = (text: string) => ({
  characters: [...new Intl.Segmenter().segment(text)].length,
  words: [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter((part) => part.isWordLike)
    .length,
  lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
  bytes: Buffer.byteLength(text),
})

const jsonQuery = (json: string, pointer: string): unknown => {
  let value: unknown = JSON.parse(json)
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      throw new Error(`There is nothing at '${pointer}': no '${key}'.`)
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
