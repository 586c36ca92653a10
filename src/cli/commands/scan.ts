import { readFile, stat } from 'node:fs/promises'
import { GatewayError, messageOf } from '../../errors.js'
import { isRecord } from '../../model/json.js'
import { count, say } from '../../serving/locale.js'
import {
  fileWords,
  offerWords,
  type ScannedWords,
  type Severity,
  scanWords,
  severities,
  toolWords,
} from '../../serving/scanning.js'
import type { BoardView } from '../../serving/view.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { findingLines, severityWord } from '../terminal/finding-lines.js'
import { painted, print } from '../terminal/terminal.js'
import { type BoardFlags, tellMissing, withBoard } from './with-board.js'

export interface ScanFlags extends BoardFlags {
  readonly minSeverity: Severity
}

interface Report {
  /** How many definitions were read. */
  readonly read: number
  readonly found: readonly ScannedWords[]
}

/** `pegboard scan [SOURCE|TOOL|FILE]`: what a person should look at in strangers' words. Ends with 1 where there is something. */
export const scanBoard = async (what: string | undefined, flags: ScanFlags): Promise<void> => {
  const file = what === undefined ? undefined : await jsonFile(what)
  if (file !== undefined && !isConfiguration(file)) return tell(await readWords(fileWords(file, what!)), flags)
  // A client's configuration is one like any other: named by hand, its servers are started and asked.
  const own = file === undefined ? flags : { ...flags, config: what, alone: true }
  const name = file === undefined ? what : undefined
  await withBoard(
    own,
    async (board) => {
      const report = await look(board, name)
      if (name === undefined) tellMissing(board)
      tell(report, flags)
    },
    { name, words: true },
  )
}

const look = async (board: BoardView, name: string | undefined): Promise<Report> => {
  const { gateway } = board
  const tools = [...gateway.catalog.snapshot().tools, ...gateway.catalog.held()]
  const words = [...toolWords(tools), ...offerWords(board.offered())]
  if (name === undefined) return readWords(words, tools)
  const tool = gateway.find(name)
  if (tool) return readWords(toolWords([{ ...tool, own: false }]), tools)
  const some = words.filter(({ source, id }) => source === name || id === name)
  if (some.length > 0 || gateway.sources().some((source) => source.name === name)) return readWords(some, tools)
  throw new GatewayError(
    'TOOL_NOT_FOUND',
    say(
      `There is no tool, source or file named '${name.slice(0, 100)}'. What there is: pegboard list`,
      `没有名为“${name.slice(0, 100)}”的工具、来源或文件。查看有哪些：pegboard list`,
    ),
  )
}

const readWords = async (
  words: Parameters<typeof scanWords>[0],
  among: Parameters<typeof scanWords>[1] = words.map(({ source, id }) => ({ source, name: id })),
): Promise<Report> => ({ read: words.length, found: await scanWords(words, among) })

const tell = ({ read, found }: Report, { minSeverity, json }: ScanFlags): void => {
  const least = severities.indexOf(minSeverity)
  const shown = found.flatMap((item) => {
    const findings = item.findings.filter(({ severity }) => severities.indexOf(severity) >= least)
    return findings.length > 0 ? [{ ...item, findings }] : []
  })
  const all = shown.flatMap(({ findings }) => findings)
  const counts = Object.fromEntries(
    severities.map((one) => [one, all.filter(({ severity }) => severity === one).length]),
  )
  const lines = shown.flatMap(({ id, kind, findings }) => [
    `${painted('bold', id)}  ${painted('dim', kindWord(kind))}`,
    ...findingLines(findings),
    '',
  ])
  const end = say(
    `${count(read, 'definition')} read, ${count(all.length, 'finding')}${all.length > 0 ? ` in ${shown.length}` : ''}.`,
    `读取 ${read} 项，发现 ${all.length} 处${all.length > 0 ? `，涉及 ${shown.length} 项` : ''}。`,
  )
  print({ json }, { read, counts, found: shown }, [...lines, end])
  if (all.length > 0)
    throw new CommandFailed(
      say(
        `Look at them before a model does; the gravest is ${severityWord(gravest(all))}.`,
        `请先于模型查看这些内容；最严重的为：${severityWord(gravest(all))}。`,
      ),
      exitCodes.failed,
    )
}

const gravest = (findings: readonly { readonly severity: Severity }[]): Severity =>
  severities[Math.max(...findings.map(({ severity }) => severities.indexOf(severity)))]!

const kindWord = (kind: ScannedWords['kind']): string =>
  say(
    kind,
    { tool: '工具', prompt: '提示', resource: '资源', template: '资源模板', instructions: '说明', result: '结果' }[
      kind
    ],
  )

/** More than any list of tools; a log or a dump is not read by accident. */
const maxFileBytes = 64 * 1024 * 1024

/** What a file of that name holds; undefined where there is none, so that a tool may be meant. */
const jsonFile = async (path: string): Promise<unknown> => {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  if (found.size > maxFileBytes)
    throw new GatewayError('ARGUMENTS_INVALID', say(`${path} is larger than 64 MB.`, `${path} 超过 64 MB。`))
  // These are read by whoever reads configurations.
  if (/\.(?:jsonc|ya?ml|toml)$/i.test(path)) return { sources: {} }
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''))
  } catch (error) {
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(`${path} is no JSON: ${messageOf(error)}`, `${path} 不是 JSON：${messageOf(error)}`),
    )
  }
}

const isConfiguration = (value: unknown): boolean =>
  isRecord(value) && ['mcpServers', 'servers', 'sources', 'services'].some((key) => isRecord(value[key]))
