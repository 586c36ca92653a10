import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { exampleOf } from '../../schema/example.js'

type Shown = Pick<Tool, 'id' | 'definition'>

/** A call of this tool as one would type it, with its required arguments. */
export const exampleCall = ({ id, definition: { inputSchema } }: Shown): string => {
  const example = exampleOf(inputSchema as JsonObject)
  const pairs = isRecord(example)
    ? Object.entries(example as JsonObject).map(([name, value]) => `${word(name)}=${word(sampleOf(value))}`)
    : []
  return ['pegboard call', word(id), ...pairs].join(' ')
}

/** The tool that a newcomer can try first: one that says it changes nothing, with little to fill in. */
export const easiestTool = <Each extends Shown>(tools: readonly Each[]): Each | undefined => {
  const costOf = ({ definition: { annotations, inputSchema } }: Shown): number => {
    const { required } = inputSchema
    const risk = annotations?.readOnlyHint === true ? 0 : annotations?.destructiveHint === true ? 200 : 100
    return risk + (Array.isArray(required) ? required.length : 0)
  }
  return tools.reduce<Each | undefined>(
    (best, tool) => (best === undefined || costOf(tool) < costOf(best) ? tool : best),
    undefined,
  )
}

const sampleOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)

/** As one word of a shell, whatever a server put into it. */
const word = (text: string): string => {
  const short = text.replace(/\p{C}/gu, ' ').slice(0, 80)
  return /^[\p{L}\p{N}_./:@%+=,…-]+$/u.test(short) ? short : `'${short.replaceAll("'", `'\\''`)}'`
}
