import type { Tool } from '../../model/tool.js'
import { hanRuns, wordsOfName } from '../analyse/terms.js'
import { deedWords, nameVerbs, nounVerbs, toolVerbs } from '../data/verbs.js'
import { askedInChinese } from './asked-chinese.js'
import { askedInEnglish } from './asked-english.js'
import { formsOf, readRows, type ToolDeed, type Wish, wordsIn } from './verb-table.js'

export type { ToolDeed } from './verb-table.js'

// What is asked for stands at the beginning; what follows is material.
const longestAsked = 1_000
const han = /\p{Script=Han}/u
let last:
  | { readonly query: string; readonly wishes: readonly Wish[]; readonly deeds: ReadonlySet<ToolDeed> }
  | undefined

const read = (query: string): NonNullable<typeof last> => {
  // Words, ranking and guard ask for the same query one after the other.
  if (last?.query === query) return last
  const text = query.slice(0, longestAsked)
  const wishes = [...(han.test(text) ? askedInChinese(text) : []), ...askedInEnglish(text)]
  last = { query, wishes, deeds: new Set(wishes.flatMap(({ deeds }) => deeds)) }
  return last
}

/** What a query asks to be done, by its verbs and its way of asking; empty where neither says it. */
export const deedsAsked = (query: string): ReadonlySet<ToolDeed> => read(query).deeds

export interface VerbMeant {
  readonly verb: string
  /** What tools call it. */
  readonly words: string
}

/** The verbs of a query that mean something else than they say, by their object: *open* a ticket. */
export const verbsMeant = (query: string): readonly VerbMeant[] =>
  read(query).wishes.flatMap(({ verb, deeds: [deed] }) =>
    verb === undefined || deed === undefined ? [] : [{ verb, words: deedWords[deed] }],
  )

interface Known {
  readonly named: ToolDeed | undefined
  readonly deed: ToolDeed | undefined
}

const known = new WeakMap<Tool, Known>()

const knownOf = (tool: Tool): Known => {
  const found = known.get(tool)
  if (found) return found
  const named = deedByName(tool)
  const fresh = { named, deed: named ?? deedByText(tool.definition.description) }
  known.set(tool, fresh)
  return fresh
}

/** What a tool does, by the verb of its name, else the first word of its description; undefined where no sure verb says it. */
export const deedOf = (tool: Tool): ToolDeed | undefined => knownOf(tool).deed

/** The same by its name alone: descriptions praise what they sell. */
export const deedNamed = (tool: Tool): ToolDeed | undefined => knownOf(tool).named

const longestName = 512
const longestStart = 80
const mostWords = 8

const deedByName = (tool: Tool): ToolDeed | undefined => {
  const name = tool.name.slice(0, longestName)
  const prefix = new Set([...wordsOfName(tool.namespace), ...wordsOfName(tool.source)])
  const words = wordsOfName(name).slice(0, mostWords)
  const first = words.length > 1 && prefix.has(words[0]!) ? 1 : 0
  for (const [place, word] of words.entries()) {
    const deed = tables().english.get(`${word}_${words[place + 1]}`) ?? tables().english.get(word)
    // `price_change_chart` changes nothing; `git_commit` commits.
    if (deed && (place <= first || words.length === 2 || !tables().nouns.has(word))) return deed
  }
  return deedByHan(name)
}

/** Leads up to the verb: `This tool allows you to …`. */
const leading =
  /^(?:(?:this|the|a|an|tool|function|api|endpoint|that|which|is|used|use|it|to|for|allows?|lets?|helps?|enables?|you|users?|can|will)\s+)+/i

const deedByText = (description: unknown): ToolDeed | undefined => {
  if (typeof description !== 'string') return undefined
  const start = description.trimStart().slice(0, longestStart).replace(leading, '')
  const [word] = /^[A-Za-z]+/.exec(start) ?? []
  return word ? tables().forms.get(word.toLowerCase()) : han.test(start.slice(0, 2)) ? deedByHan(start) : undefined
}

const chineseLead = /^(?:(?:本|该|此)?(?:工具|接口|函数)?(?:可以|可|能够|能|用于|用来|根据.{1,12}?)?)/u

/** The verb that a Chinese text begins with. */
const deedByHan = (text: string): ToolDeed | undefined => {
  const [run] = hanRuns(text)
  if (!run) return undefined
  const start = run.replace(chineseLead, '')
  for (const [verb, deed] of tables().chinese) if (start.startsWith(verb)) return deed
  return undefined
}

interface ToolVerbs {
  readonly english: ReadonlyMap<string, ToolDeed>
  /** The same with `creates` and `creating`, as descriptions begin. */
  readonly forms: ReadonlyMap<string, ToolDeed>
  readonly chinese: ReadonlyMap<string, ToolDeed>
  readonly nouns: ReadonlySet<string>
}

let loaded: ToolVerbs | undefined
const tables = (): ToolVerbs => (loaded ??= readToolVerbs())

const readToolVerbs = (): ToolVerbs => {
  const english = new Map<string, ToolDeed>()
  const forms = new Map<string, ToolDeed>()
  const chinese = new Map<string, ToolDeed>()
  for (const { deeds, columns } of readRows(toolVerbs)) {
    for (const verb of columns[0] ?? []) {
      english.set(verb, deeds[0]!)
      for (const form of formsOf(verb)) forms.set(form, deeds[0]!)
    }
    for (const verb of columns[1] ?? []) chinese.set(verb, deeds[0]!)
  }
  for (const { deeds, columns } of readRows(nameVerbs))
    for (const verb of columns[0] ?? []) english.set(verb, deeds[0]!)
  return { english, forms, chinese, nouns: new Set(wordsIn(nounVerbs)) }
}
