import { defined, isRecord } from '../model/json.js'
import { parseClientText } from './parse.js'
import { toOurReferences } from './references.js'
import { type PasteProblem, splitShellLines } from './shell-words.js'
import { suggestName } from './suggest-name.js'

/** A server that somebody pasted, its keys still those of the program that it was written for. */
export interface PastedServer {
  readonly name: string
  readonly entry: Readonly<Record<string, unknown>>
  /** Variables of which a program would have asked a person. */
  readonly asked: readonly string[]
}

export type Read = { readonly server: PastedServer } | { readonly problem: PasteProblem }

/** Command lines: what starts a server, or what tells another program of one (`claude mcp add …`). */
export const readCommands = async (text: string): Promise<readonly Read[]> => {
  const found: Read[] = []
  let exported: Readonly<Record<string, string>> = {}
  for (const line of splitShellLines(text.replace(/^\s*[$%>]\s+/gm, ''))) {
    if (line.problem !== undefined) {
      found.push(line)
      continue
    }
    const { env, words } = assignments(line.words)
    if (words.length === 0) exported = { ...exported, ...env }
    else found.push(await readWords(words, { ...exported, ...env }))
  }
  return found
}

const assignment = /^([A-Za-z_]\w*)=(.*)$/s

/** The variables in front of a command: `A=b npx …`, `env A=b npx …`, `export A=b`. */
const assignments = (
  words: readonly string[],
): { readonly env: Readonly<Record<string, string>>; readonly words: readonly string[] } => {
  const rest = words[0] === 'env' || words[0] === 'export' ? words.slice(1) : words
  const end = rest.findIndex((word) => !assignment.test(word))
  const given = end < 0 ? rest : rest.slice(0, end)
  return { env: Object.fromEntries(given.map(toPair)), words: end < 0 ? [] : rest.slice(end) }
}

const toPair = (word: string): readonly [string, string] => {
  const [, name = '', value = ''] = assignment.exec(word) ?? []
  return [name, value]
}

const readWords = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<Read> => {
  const program = words[0]!.split(/[/\\]/).at(-1)
  const json = words[words.indexOf('--add-mcp') + 1]
  if (program !== undefined && /^code(?:-insiders)?$/.test(program) && words.includes('--add-mcp'))
    return readJsonWord(json, undefined)
  const [, second, third] = words
  if (second === 'mcp' && third === 'add-json') {
    const [name, text] = words.slice(3).filter((word) => !word.startsWith('-'))
    return readJsonWord(text, name)
  }
  if (second === 'mcp' && third === 'add') return readAdd(words.slice(3), env)
  if (program === 'pegboard' && second === 'add') return readAdd(words.slice(2), env)
  return server(undefined, { command: words[0], args: words.slice(1), ...filled({ env }) })
}

const readJsonWord = async (json: string | undefined, name: string | undefined): Promise<Read> => {
  // The words of a command line are ours already: read back, so that JSON in them means what it says.
  const value = await parseClientText({ format: 'json' }, (json ?? '').replaceAll('$$', '$'), 'JSON').catch(
    () => undefined,
  )
  if (!isRecord(value)) return { problem: notJson }
  const { name: own, ...entry } = value
  return server(name ?? (typeof own === 'string' ? own : undefined), entry)
}

const notJson: PasteProblem = {
  en: 'The command has no JSON of a server in it.',
  zh: '命令中没有描述服务器的 JSON。',
}

const missing: PasteProblem = {
  en: 'The command names no server: it needs a name, and a command or an address.',
  zh: '命令没有指明服务器：需要名称，以及命令或地址。',
}

/** Options that other programs have and that say nothing about the server; those with a value of their own. */
const skipped = new Set(['-s', '--scope', '--callback-port', '--client-id', '--timeout', '--description', '-c'])

interface Added {
  readonly env: Record<string, string>
  readonly headers: Record<string, string>
  readonly plain: string[]
  type?: string | undefined
  cwd?: string | undefined
}

/** `add [options] NAME [--] COMMAND ARGUMENTS…` or `add [options] NAME URL`, as Claude, Codex, Gemini and others have it. */
const readAdd = (words: readonly string[], env: Readonly<Record<string, string>>): Read => {
  const added: Added = { env: { ...env }, headers: {}, plain: [] }
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]!
    if (word === '--') {
      added.plain.push(...words.slice(at + 1))
      break
    }
    // Behind the command all is its own; behind an address options go on.
    if (added.plain.length > 1 && !isAddress(added.plain[1]!)) {
      added.plain.push(...words.slice(at))
      break
    }
    at = takeOption(words, at, added)
  }
  const [name, target, ...args] = added.plain
  if (name === undefined || target === undefined) return { problem: missing }
  const { headers, type, cwd } = added
  if (isAddress(target))
    return server(name, {
      ...defined({ type }),
      url: target,
      ...filled({ headers }),
    })
  return server(name, {
    command: target,
    args,
    ...filled({ env: added.env }),
    ...defined({ cwd }),
  })
}

/** Takes one word, or an option with what belongs to it. Gives the place of the last word that it took. */
const takeOption = (words: readonly string[], start: number, added: Added): number => {
  const [, option = words[start]!, inline] = /^(--[\w-]+)=(.*)$/s.exec(words[start]!) ?? []
  if (!option.startsWith('-')) {
    added.plain.push(option)
    return start
  }
  const at = inline === undefined ? start + 1 : start
  const value = inline ?? words[at]
  if (value === undefined) return start
  if (option === '-e' || option === '--env') return takeAll(words, at, value, assignment, added.env)
  if (option === '-H' || option === '--header') return takeAll(words, at, value, /^([\w-]+):\s*(.*)$/s, added.headers)
  if (option === '-t' || option === '--transport' || option === '--type') added.type = value
  else if (option === '--cwd') added.cwd = value
  else if (option === '--url') added.plain.push(value)
  else if (option === '--bearer-token-env-var') added.headers.Authorization = `Bearer \${${value}}`
  else if (!skipped.has(option)) return start
  return at
}

/** Some programs take several after one option: `--env A=1 B=2`. */
const takeAll = (
  words: readonly string[],
  start: number,
  first: string,
  shape: RegExp,
  into: Record<string, string>,
): number => {
  let at = start
  for (let word: string | undefined = first; word !== undefined && shape.test(word); word = words[++at]) {
    const [, name = '', value = ''] = shape.exec(word) ?? []
    into[name] = value
  }
  return Math.max(start, at - 1)
}

const isAddress = (word: string): boolean => /^(?:https?|wss?):\/\//i.test(word)

/** Those that hold something: nobody wants to read of an empty list in a file. */
const filled = (records: Readonly<Record<string, object>>): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.entries(records).filter(([, record]) => Object.keys(record).length > 0))

const server = (name: string | undefined, entry: Readonly<Record<string, unknown>>): Read => ({
  server: { name: name ?? suggestName(entry), entry, asked: [] },
})

/** Variables of other programs in our words; what was read of a command line has ours already. */
export const inOurWords = (entry: Readonly<Record<string, unknown>>): Omit<PastedServer, 'name'> => {
  const { value, asked } = toOurReferences(entry, { variables: 'env' }, { folder: undefined })
  return { entry: value as Record<string, unknown>, asked }
}
