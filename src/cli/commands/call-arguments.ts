import { GatewayError } from '../../errors.js'
import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { say } from '../../serving/locale.js'

/** What was typed behind `call`, before the tool is known that says how to read it. */
export interface TypedArguments {
  readonly whole: Readonly<Record<string, unknown>>
  readonly pairs: readonly (readonly [name: string, text: string])[]
}

/** `key=value` words, and one JSON object; `-` reads it from standard input. Throws before anything is started. */
export const readTyped = async (words: readonly string[], json: string | undefined): Promise<TypedArguments> => ({
  whole: json === undefined ? {} : parseObject(json === '-' ? await readInput() : json),
  pairs: words.map((word) => {
    const at = word.indexOf('=')
    if (at < 1)
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          `'${word}' is not key=value. Write for example city=Oslo days=3.`,
          `“${word}”不是 key=value 的形式。例如：city=Oslo days=3。`,
        ),
      )
    return [word.slice(0, at), word.slice(at + 1)] as const
  }),
})

/** As the tool wants them: `a=1` is the text "1" where its schema says text, else the number; a pair wins over the whole. */
export const argumentsFor = (
  { definition: { inputSchema } }: Pick<Tool, 'definition'>,
  { whole, pairs }: TypedArguments,
): Record<string, unknown> => {
  const properties = isRecord(inputSchema.properties) ? inputSchema.properties : {}
  const isText = (name: string): boolean => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return isRecord(own) && own.type === 'string'
  }
  const named = pairs.map(([name, text]) => [name, isText(name) ? text : parseValue(text)] as const)
  return { ...whole, ...Object.fromEntries(named) }
}

/** A value that is JSON as what it says, anything else as the text it is. */
export const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const parseObject = (text: string): Record<string, unknown> => {
  const value = parseValue(text)
  if (isRecord(value)) return value
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      'The arguments must be one JSON object, such as {"city":"Oslo"}.',
      '参数必须是一个 JSON 对象，例如 {"city":"Oslo"}。',
    ),
  )
}

const largestInput = 64 * 1024 * 1024

const readInput = async (): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > largestInput)
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          `The arguments are larger than ${largestInput} bytes. Send fewer.`,
          `参数超过 ${largestInput} 字节，请减少。`,
        ),
      )
  }
  return Buffer.concat(chunks).toString()
}
