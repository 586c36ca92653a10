import { nearest } from '../config/nearest.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import type { Gateway, SourceInfo } from '../gateway.js'
import { isRecord } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import { exampleCall } from './example-call.js'
import type { CommonFlags } from './flags.js'
import { table } from './table.js'
import { painted, say } from './terminal.js'
import { withBoard } from './with-board.js'

/** `pegboard inspect NAME`: all that is known of a tool or a source. */
export const inspect = async (name: string, flags: CommonFlags): Promise<void> =>
  withBoard(flags, async ({ gateway, config, problems }) => {
    const tool = gateway.find(name)
    if (tool) return say(flags, { ...tool, usage: gateway.catalog.usage.of(tool.id) }, toolLines(tool))
    const source = gateway.sources().find((each) => each.name === name)
    if (!source) throw offSource(name, config) ?? unmounted(name, problems()) ?? unknown(name, gateway)
    const tools = gateway.list().filter((each) => each.source === name)
    say(flags, { ...source, toolIds: tools.map(({ id }) => id) }, sourceLines(source, tools))
  })

const offSource = (name: string, { sources }: Config): GatewayError | undefined => {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (source === undefined || source.enabled) return undefined
  return new GatewayError(
    'SOURCE_UNAVAILABLE',
    `The source '${name}' is switched off. Switch it on: pegboard enable ${name}`,
  )
}

const unmounted = (name: string, problems: ReadonlyMap<string, string>): GatewayError | undefined => {
  const problem = problems.get(name)
  return problem === undefined
    ? undefined
    : new GatewayError('SOURCE_UNAVAILABLE', `The source '${name}' could not be mounted: ${problem}`)
}

const unknown = (name: string, gateway: Gateway): GatewayError => {
  const names = [...gateway.list().map(({ id }) => id), ...gateway.sources().map((source) => source.name)]
  const guess = nearest(name, names)
  const next = guess === undefined ? `Try: pegboard search ${name}` : `Did you mean '${guess}'?`
  return new GatewayError('TOOL_NOT_FOUND', `There is no tool or source named '${name.slice(0, 100)}'. ${next}`)
}

const toolLines = (tool: Tool): readonly string[] => {
  const { id, source, tags, definition } = tool
  const { title, description, annotations, outputSchema } = definition
  const hints = Object.entries(annotations ?? {}).flatMap(([key, value]) => (value === true ? [key] : []))
  return [
    `${painted('bold', id)}${title === undefined ? '' : `  ${title}`}`,
    ...(description === undefined ? [] : ['', description.trim()]),
    '',
    ...field('source', source),
    ...field('tags', tags.join(', ')),
    ...field('hints', hints.join(', ')),
    ...field('answers', outputSchema === undefined ? '' : 'structured, with a schema (--json shows it)'),
    '',
    ...argumentLines(tool),
    '',
    `Try: ${exampleCall(tool)}`,
  ]
}

const sourceLines = ({ name, kind, namespace, status, tools }: SourceInfo, own: readonly Tool[]): readonly string[] => [
  `${painted('bold', name)}  ${kind}`,
  '',
  ...field('state', status.state),
  ...field('reason', status.reason ?? ''),
  ...field('namespace', namespace),
  ...field('speaks', status.peer ? `MCP ${status.peer.version} (${status.peer.era})` : ''),
  ...field('server', status.peer?.name ?? ''),
  ...field('tools', String(tools)),
  ...(own.length === 0 ? [] : ['', toolTable(own)]),
  ...(status.state === 'ready' ? [] : ['', 'What to do about it: pegboard doctor']),
]

const toolTable = (tools: readonly Tool[]): string =>
  table(
    ['TOOL', 'DESCRIPTION'],
    tools.map(({ id, definition }) => [id, (definition.description ?? '').split('\n', 1)[0]!]),
  )

const field = (name: string, value: string): readonly string[] => (value === '' ? [] : [`${name.padEnd(10)} ${value}`])

const argumentLines = ({ definition: { inputSchema } }: Tool): readonly string[] => {
  const properties = isRecord(inputSchema.properties) ? Object.entries(inputSchema.properties) : []
  const required = new Set(Array.isArray(inputSchema.required) ? inputSchema.required : [])
  if (properties.length === 0) return ['It takes no arguments.']
  const rows = properties.map(([name, own]) => {
    const schema = isRecord(own) ? own : {}
    return [name, typeName(schema), required.has(name) ? 'yes' : defaultName(schema), String(schema.description ?? '')]
  })
  return [table(['ARGUMENT', 'TYPE', 'REQUIRED', 'DESCRIPTION'], rows)]
}

const typeName = ({ type, enum: choices, anyOf, oneOf }: Readonly<Record<string, unknown>>): string => {
  if (Array.isArray(choices)) return choices.slice(0, 8).map(String).join('|')
  if (Array.isArray(type)) return type.join('|')
  return typeof type === 'string' ? type : anyOf || oneOf ? 'one of several' : 'any'
}

const defaultName = (schema: Readonly<Record<string, unknown>>): string =>
  schema.default === undefined ? 'no' : `no (${JSON.stringify(schema.default).slice(0, 40)})`
