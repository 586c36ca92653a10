import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'

type Shown = Pick<Tool, 'id' | 'definition'>

/** A call of this tool as one would type it, with its required arguments. */
export const exampleCall = ({ id, definition: { inputSchema } }: Shown): string => {
  const { required, properties } = inputSchema
  const needed = new Set(Array.isArray(required) ? required : [])
  const known = isRecord(properties) ? Object.entries(properties) : []
  // One that has an example shows best what the tool is for.
  const telling = known.filter(([, own]) => isRecord(own) && Array.isArray(own.examples)).map(([name]) => name)
  const names = [...new Set([...needed, ...telling])].filter((name) => typeof name === 'string')
  const pairs = names.map((name) => {
    const own = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
    return `${word(name)}=${word(sampleOf(isRecord(own) ? own : {}))}`
  })
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

const sampleOf = (schema: Readonly<Record<string, unknown>>): string => {
  const given = [schema.default, ...list(schema.examples), ...list(schema.enum), schema.const].find(
    (value) => value !== undefined && value !== null,
  )
  if (given !== undefined) return typeof given === 'string' ? given : JSON.stringify(given)
  const byType: Readonly<Record<string, string>> = {
    integer: '1',
    number: '1',
    boolean: 'true',
    array: '[]',
    object: '{}',
  }
  return byType[String(schema.type)] ?? '…'
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 1) : [])

/** As one word of a shell, whatever a server put into it. */
const word = (text: string): string => {
  const short = text.replace(/\p{C}/gu, ' ').slice(0, 80)
  return /^[\p{L}\p{N}_./:@%+=,…-]+$/u.test(short) ? short : `'${short.replaceAll("'", `'\\''`)}'`
}
