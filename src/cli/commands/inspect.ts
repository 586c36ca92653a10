import { nearest } from '../../config/nearest.js'
import { newToolsOf, pinnedBy } from '../../config/pinning/pinned-by.js'
import type { Config, SourceConfig } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { guardWords, lackingWords } from '../../faces/guard-words.js'
import { processLabel, processWords } from '../../faces/process-words.js'
import type { SourceInfo } from '../../gateway.js'
import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { say, spoken } from '../../serving/locale.js'
import { type Finding, scanTool } from '../../serving/scanning.js'
import type { BoardView } from '../../serving/view.js'
import { findingLines } from '../terminal/finding-lines.js'
import { pinningHere } from '../terminal/pin-words.js'
import { stateHere, toldReason } from '../terminal/source-words.js'
import { table, widthOf } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { exampleCall } from './example-call.js'
import { type BoardFlags, withBoard } from './with-board.js'

/** `pegboard inspect NAME`: all that is known of a tool or a source. */
export const inspect = async (name: string, flags: BoardFlags): Promise<void> =>
  withBoard(
    flags,
    async ({ gateway, config, problems }) => {
      const tool = gateway.find(name) ?? gateway.catalog.held().find(({ id }) => id === name)
      if (tool) {
        const findings = scanTool(tool, gateway.list())
        return print(flags, { ...tool, usage: gateway.catalog.usage.of(tool.id), findings }, toolLines(tool, findings))
      }
      const source = gateway.sources().find((each) => each.name === name)
      if (!source) throw offSource(name, config) ?? unmounted(name, problems()) ?? unknown(name, gateway)
      const tools = gateway.list().filter((each) => each.source === name)
      const own = Object.hasOwn(config.sources, name) ? config.sources[name] : undefined
      const pinned = own && { ...pinnedBy(own), newTools: newToolsOf(own) }
      print(flags, { ...source, pinned, toolIds: tools.map(({ id }) => id) }, sourceLines(source, tools, own))
    },
    { name },
  )

const offSource = (name: string, { sources }: Pick<Config, 'sources'>): GatewayError | undefined => {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (source === undefined || source.enabled) return undefined
  return new GatewayError(
    'SOURCE_UNAVAILABLE',
    say(
      `The source '${name}' is switched off. Switch it on: pegboard enable ${name}`,
      `来源“${name}”未启用。启用：pegboard enable ${name}`,
    ),
  )
}

const unmounted = (name: string, problems: ReadonlyMap<string, string>): GatewayError | undefined => {
  const problem = problems.get(name)
  return problem === undefined
    ? undefined
    : new GatewayError(
        'SOURCE_UNAVAILABLE',
        say(`The source '${name}' could not be mounted: ${problem}`, `来源“${name}”无法挂载：${problem}`),
      )
}

const unknown = (name: string, gateway: BoardView['gateway']): GatewayError => {
  const names = [...gateway.list().map(({ id }) => id), ...gateway.sources().map((source) => source.name)]
  const guess = nearest(name, names)
  const next =
    guess === undefined
      ? say(`Try: pegboard search ${name}`, `试试：pegboard search ${name}`)
      : say(`Did you mean '${guess}'?`, `是不是“${guess}”？`)
  const typed = name.slice(0, 100)
  return new GatewayError(
    'TOOL_NOT_FOUND',
    say(`There is no tool or source named '${typed}'. ${next}`, `没有名为“${typed}”的工具或来源。${next}`),
  )
}

const toolLines = (tool: Tool, findings: readonly Finding[]): readonly string[] => {
  const { id, source, tags, definition } = tool
  const { title, description, annotations, outputSchema } = definition
  const hints = Object.entries(annotations ?? {}).flatMap(([key, value]) => (value === true ? [key] : []))
  return [
    `${painted('bold', id)}${title === undefined ? '' : `  ${title}`}`,
    ...(description === undefined ? [] : ['', description.trim()]),
    '',
    ...field(say('source', '来源'), source),
    ...field(say('tags', '标签'), tags.join(', ')),
    ...field(say('hints', '提示'), hints.join(', ')),
    ...field(
      say('answers', '返回'),
      outputSchema === undefined
        ? ''
        : say('structured, with a schema (--json shows it)', '结构化，带模式（用 --json 查看）'),
    ),
    '',
    ...argumentLines(tool),
    '',
    ...(findings.length === 0 ? [] : [say('To look at:', '需要留意：'), ...findingLines(findings), '']),
    say(`Try: ${exampleCall(tool)}`, `试试：${exampleCall(tool)}`),
  ]
}

const sourceLines = (
  { name, kind, namespace, status, tools }: SourceInfo,
  own: readonly Tool[],
  source: SourceConfig | undefined,
): readonly string[] => [
  `${painted('bold', name)}  ${kind}`,
  '',
  ...field(say('state', '状态'), stateHere(status.state)),
  ...field(say('reason', '原因'), toldReason(status.reason) ?? ''),
  ...field(say('namespace', '命名空间'), namespace),
  ...field(say('protocol', '协议'), status.peer ? `MCP ${status.peer.version} (${status.peer.era})` : ''),
  ...field(say('server', '服务器'), status.peer?.name ?? ''),
  ...(status.guards
    ? [
        ...field(say('runs with', '运行于'), guardWords(status.guards, spoken())),
        ...field(say('not kept', '未限制'), lackingWords(status.guards, spoken())),
      ]
    : []),
  ...field(processLabel(spoken()), status.processes ? processWords(status.processes, spoken()) : ''),
  ...field(say('tools', '工具'), String(tools)),
  ...field(say('trust', '信任'), source ? pinningHere(source) : ''),
  ...(own.length === 0 ? [] : ['', toolTable(own)]),
  ...(status.state === 'ready' ? [] : ['', say('What to do about it: pegboard doctor', '如何解决：pegboard doctor')]),
]

const toolTable = (tools: readonly Tool[]): string =>
  table(
    ['TOOL', 'DESCRIPTION'],
    tools.map(({ id, definition }) => [id, (definition.description ?? '').split('\n', 1)[0]!]),
  )

const field = (name: string, value: string): readonly string[] =>
  value === '' ? [] : [`${name}${' '.repeat(Math.max(0, 10 - widthOf(name)))} ${value}`]

const argumentLines = ({ definition: { inputSchema } }: Tool): readonly string[] => {
  const properties = isRecord(inputSchema.properties) ? Object.entries(inputSchema.properties) : []
  const required = new Set(Array.isArray(inputSchema.required) ? inputSchema.required : [])
  if (properties.length === 0) return [say('It takes no arguments.', '它不需要参数。')]
  const rows = properties.map(([name, own]) => {
    const schema = isRecord(own) ? own : {}
    return [
      name,
      typeName(schema),
      required.has(name) ? say('yes', '是') : defaultName(schema),
      String(schema.description ?? ''),
    ]
  })
  return [table(['ARGUMENT', 'TYPE', 'REQUIRED', 'DESCRIPTION'], rows)]
}

const typeName = ({ type, enum: choices, anyOf, oneOf }: Readonly<Record<string, unknown>>): string => {
  if (Array.isArray(choices)) return choices.slice(0, 8).map(String).join('|')
  if (Array.isArray(type)) return type.join('|')
  return typeof type === 'string' ? type : anyOf || oneOf ? say('one of several', '多种之一') : say('any', '任意')
}

const defaultName = (schema: Readonly<Record<string, unknown>>): string =>
  schema.default === undefined ? say('no', '否') : say(`no (${shortDefault(schema)})`, `否（${shortDefault(schema)}）`)

const shortDefault = (schema: Readonly<Record<string, unknown>>): string => JSON.stringify(schema.default).slice(0, 40)
