import type { ClientProgram } from '../../clients/client.js'
import { findClient } from '../../clients/known.js'
import { ourEntry } from '../../clients/our-entry.js'
import type { Tool } from '../../model/tool.js'
import type { Locale } from '../../serving/locale.js'
import type { KeyVariable, WayIn } from '../../serving/our-launch.js'
import { easiestTool, exampleCall } from '../commands/example-call.js'
import { type GreetingWords, greetingWords } from './greeting-words.js'
import { widthOf } from './table.js'

/** What is true of a board when it begins to listen. */
export interface GreetingFacts {
  /** Of the MCP endpoint, as clients reach it. */
  readonly url: string
  /** Of the console. */
  readonly console: string
  /** That we listen on here. */
  readonly port: string
  /** As they are now; those of sources that still start are not among them. */
  readonly tools: readonly Tool[]
  /** Sources of the configuration that are switched on. */
  readonly sources: readonly string[]
  /** The variable that a client takes its key from, where callers are asked for one. */
  readonly keyVariable: KeyVariable | undefined
  /** How people sign in from their clients, where they do: then an address is all that a client needs. */
  readonly signIn: WayIn | undefined
  /** The options that other commands need to mean the same board, such as `--config team.json`. */
  readonly options: string
  readonly locale: Locale
}

/** What `serve` says when it is ready: nothing that is not true of this board, and everything ready to be pasted. */
export const greeting = (facts: GreetingFacts): string => {
  const { url, keyVariable, signIn, options } = facts
  const words = greetingWords[facts.locale]
  const lines: readonly (readonly [string, string])[] = [
    [words.console, facts.console],
    [words.tools, toolsLine(facts, words)],
    ...(keyVariable === undefined ? [] : [[words.key, words.keyNeeded[keyVariable](options)] as const]),
    ...(signIn === undefined ? [] : [[words.signIn, words.signsIn[signIn](options)] as const]),
  ]
  const connect = snippets(url, keyVariable)
  const after: readonly (readonly [string, string])[] = [
    [words.try, tryLine(facts)],
    [words.next, facts.sources.length === 0 ? words.bringIn(options) : words.lookOn(options)],
    [words.stop, 'Ctrl+C'],
  ]
  return [
    '',
    `${words.serves} ${url}`,
    ...columns(lines),
    '',
    words.connect,
    ...columns(connect).map((line) => `  ${line}`),
    `  ${words.orLet} npx pegboard connect cursor --http${portOf(facts.port)}${options}`,
    '',
    ...columns(after),
    '',
    '',
  ].join('\n')
}

const shownTools = 8

const toolsLine = ({ tools, sources }: GreetingFacts, words: GreetingWords): string => {
  const names = tools.slice(0, shownTools).map(({ id }) => id)
  const more = tools.length > shownTools ? ' …' : ''
  // By the name of a registry nothing is brought along: what it has is registered.
  if (sources.length === 0 && names.length === 0) return words.none
  if (sources.length === 0) return `${names.join(', ')}${more} ${words.examples}`
  if (names.length > 0) return `${names.join(', ')}${more}`
  return words.starting(sources.slice(0, shownTools).join(', ') + (sources.length > shownTools ? ' …' : ''))
}

/** A tool of the operator's own, where one is there already; never one that the board does not have. */
const tryLine = ({ tools, sources, options }: GreetingFacts): string => {
  if (sources.length === 0 && tools.length > 0) return `npx pegboard call calculator expression="21*2+5"${options}`
  const tool = easiestTool(tools)
  return `npx ${tool === undefined ? 'pegboard list' : exampleCall(tool)}${options}`
}

const shownClients = ['claude-code', 'cursor', 'vscode', 'codex'] as const

/** One line per client: its own command where it has one, else what to paste and where. */
const snippets = (url: string, keyVariable: string | undefined): readonly (readonly [string, string])[] =>
  shownClients.map((id) => {
    const client = findClient(id)!
    const command = client.addCommand?.('pegboard', url, keyVariable)
    return [client.title, command ?? `${pasteInto(client)}: ${entryOf(client, url, keyVariable)}`] as const
  })

const pasteInto = (client: ClientProgram): string => {
  const place = { home: '~', cwd: '.', platform: process.platform, env: {} }
  return client.files(place)[0]?.path ?? client.title
}

const entryOf = (client: ClientProgram, url: string, tokenVariable: string | undefined): string => {
  const entry = ourEntry(client, { via: 'http', url, tokenVariable })
  return JSON.stringify({ [client.section]: { pegboard: entry } })
}

const portOf = (port: string): string => (port === '8000' ? '' : ` --port ${port || '80'}`)

const columns = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(...rows.map(([name]) => widthOf(name)))
  return rows.map(([name, text]) => `${name}${' '.repeat(width - widthOf(name))}  ${text}`)
}
