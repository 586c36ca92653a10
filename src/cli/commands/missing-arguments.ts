import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { say } from '../../serving/locale.js'
import { ask } from '../terminal/terminal.js'
import { parseValue } from './call-arguments.js'

/** The required arguments of a tool that were not given, with what its schema says of each. */
export const missingArguments = (
  { definition: { inputSchema } }: Pick<Tool, 'definition'>,
  given: Readonly<Record<string, unknown>>,
): readonly { readonly name: string; readonly hint: string; readonly isText: boolean }[] => {
  const { required, properties } = inputSchema
  if (!Array.isArray(required)) return []
  return required
    .filter((name): name is string => typeof name === 'string' && !Object.hasOwn(given, name))
    .map((name) => {
      const own = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
      const schema = isRecord(own) ? own : {}
      const { type, description, enum: choices } = schema
      const words = [
        typeof type === 'string' ? type : '',
        Array.isArray(choices)
          ? say(`one of ${choices.slice(0, 12).join(', ')}`, `可选 ${choices.slice(0, 12).join('、')}`)
          : '',
        typeof description === 'string' ? description.slice(0, 200) : '',
      ]
      return { name, hint: words.filter(Boolean).join('; '), isText: type === 'string' }
    })
}

/** Asks for each on the terminal. Texts are taken as they are, everything else is read as JSON where it is JSON. */
export const askForMissing = async (
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => {
  const answers: [string, unknown][] = []
  for (const { name, hint, isText } of missingArguments(tool, given)) {
    const text = await ask(`${name}${hint === '' ? '' : ` (${hint})`}: `)
    answers.push([name, isText ? text : parseValue(text)])
  }
  return { ...given, ...Object.fromEntries(answers) }
}
