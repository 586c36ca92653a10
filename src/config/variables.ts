import { callerFields } from '../sources/caller-headers.js'
import type { Path } from './problems.js'

export type Environment = Readonly<Record<string, string | undefined>>

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly fallback?: string | undefined }
  | { readonly type: 'reference'; readonly reference: Reference; readonly fallback?: string | undefined }
  | { readonly type: 'caller'; readonly text: string }
  | { readonly type: 'broken'; readonly reason: string }

/** What a placeholder names outside of the environment: `${file:…}`, `${cmd:…}`, `${keychain:…}`. */
export interface Reference {
  readonly from: 'file' | 'cmd' | 'keychain'
  /** The path, the command line, or service and account, as they are written. */
  readonly what: string
}

/** What references stand for, by `referenceKey`; looked up before anything is expanded, each once. */
export type LookUps = ReadonlyMap<string, { readonly value: string } | { readonly problem: string }>

export const referenceKey = ({ from, what }: Reference): string => `${from}:${what}`

export interface ExpandedText {
  readonly text: string
  /** Variables that are not set and have no default; their placeholders stay in `text` as they were written. */
  readonly unset: readonly string[]
  /** References whose value could not be had, each as a sentence; their placeholders stay as well. */
  readonly missing: readonly string[]
  /** Placeholders that cannot be read, each as a sentence. */
  readonly broken: readonly string[]
  /** True if anything was replaced, escapes included. */
  readonly changed: boolean
  /** True if it names something of the caller, which only a call can fill in. */
  readonly ofCaller: boolean
}

/** What went wrong at one place; the caller knows the file and line. */
export interface VariableProblem {
  readonly code: 'VARIABLE_UNSET' | 'CONFIG_INVALID'
  readonly path: Path
  readonly message: string
}

export interface Expansion {
  readonly value: unknown
  /** The strings in which something was replaced, each with the text as it was written. */
  readonly expanded: readonly { readonly path: Path; readonly template: string }[]
  readonly problems: readonly VariableProblem[]
}

/** A file of references to one large variable would multiply it beyond any memory. */
const maxExpandedLength = 32 * 1024 * 1024

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}` and what was looked up (`${file:…}`, `${cmd:…}`, `${keychain:…}`) in
 * every string of a value; keys stay as they are. One pass: what a variable or a file holds is never read again, or its owner
 * could reach every other variable. `$$` is a dollar sign, and a dollar sign before anything else is itself.
 */
export const expandVariables = (value: unknown, env: Environment, lookUps: LookUps = nothingLookedUp): Expansion => {
  const expanded: { path: Path; template: string }[] = []
  const problems: VariableProblem[] = []
  let budget = maxExpandedLength
  const visit = (node: unknown, path: Path): unknown => {
    if (typeof node === 'string') return visitText(node, path)
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((item, index) => visit(item, [...path, index]))
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, visit(item, [...path, key])]))
  }
  const visitText = (text: string, path: Path): string => {
    if (!text.includes('$')) return text
    const result = expandText(text, env, lookUps, budget)
    budget -= result.text.length
    problems.push(...toProblems(result, path, budget < 0))
    if (result.ofCaller && !isHeader(path)) problems.push({ code: 'CONFIG_INVALID', path, message: onlyInHeaders })
    if (result.changed || result.ofCaller) expanded.push({ path, template: text })
    return result.text
  }
  return { value: visit(value, []), expanded, problems }
}

/** Replaces the placeholders of one string; see `expandVariables`. */
export const expandText = (
  text: string,
  env: Environment,
  lookUps: LookUps = nothingLookedUp,
  limit = maxExpandedLength,
): ExpandedText => {
  const unset: string[] = []
  const missing: string[] = []
  const broken: string[] = []
  let result = ''
  let ofCaller = false
  for (const part of parseTemplate(text)) {
    if (result.length > limit) break
    if (part.type === 'text') result += part.text
    else if (part.type === 'broken') broken.push(part.reason)
    else if (part.type === 'caller') {
      ofCaller = true
      result += part.text
    } else if (part.type === 'reference') result += lookedUp(part, lookUps, missing)
    else result += resolve(part.name, part.fallback, env) ?? keep(part.name, unset)
  }
  return { text: result, unset, missing, broken, changed: result !== text, ofCaller }
}

/** The names of the variables that a string refers to. */
export const variablesIn = (text: string): readonly string[] =>
  parseTemplate(text).flatMap((part) => (part.type === 'variable' ? [part.name] : []))

/** What a string refers to outside of the environment. */
export const referencesIn = (text: string): readonly Reference[] =>
  text.includes('${') ? parseTemplate(text).flatMap((part) => (part.type === 'reference' ? [part.reference] : [])) : []

/** Writes a text so that expanding it gives the text back. */
export const escapeText = (text: string): string => text.replaceAll('$', '$$$$')

/** Where a call may fill something in: headers of a source. */
const isHeader = (path: Path): boolean => path.length === 4 && path[0] === 'sources' && path[2] === 'headers'

const onlyInHeaders =
  'names something of the caller, which only "headers" of a remote source can: everything else is the same for all callers'

const keep = (name: string, unset: string[]): string => {
  unset.push(name)
  return `\${${name}}`
}

const nothingLookedUp: LookUps = new Map()

const lookedUp = (
  { reference, fallback }: Extract<Part, { type: 'reference' }>,
  lookUps: LookUps,
  missing: string[],
): string => {
  const found = lookUps.get(referenceKey(reference))
  if (found && 'value' in found) return found.value
  if (fallback !== undefined) return fallback
  missing.push(found?.problem ?? `\${${referenceKey(reference)}} is not looked up here`)
  return `\${${referenceKey(reference)}}`
}

const resolve = (name: string, fallback: string | undefined, env: Environment): string | undefined => {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  // As in a shell, `:-` also stands in for an empty value.
  return fallback !== undefined && (value === undefined || value === '') ? fallback : value
}

const parseTemplate = (text: string): readonly Part[] => {
  const parts: Part[] = []
  let from = 0
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', from)) {
    parts.push({ type: 'text', text: text.slice(from, at) })
    const next = text[at + 1]
    const end = next === '{' ? text.indexOf('}', at) : at + (next === '$' ? 1 : 0)
    if (end < 0) return [...parts, { type: 'broken', reason: 'a "${" is never closed; write "$${" for the plain text' }]
    parts.push(next === '{' ? parsePlaceholder(text.slice(at + 2, end)) : { type: 'text', text: '$' })
    from = end + 1
  }
  parts.push({ type: 'text', text: text.slice(from) })
  return parts
}

const parsePlaceholder = (body: string): Part => {
  const [, from, what, instead] = /^(file|cmd|keychain):(.*?)(?::-(.*))?$/s.exec(body) ?? []
  if (from !== undefined) return parseReference(from as Reference['from'], what!.trim(), instead)
  if (body.startsWith('caller.')) return parseCallerField(body)
  const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*|\/)(?::-([\s\S]*))?$/.exec(body)
  if (match && match[2]?.includes('${') !== true) {
    return { type: 'variable', name: match[1]!, fallback: match[2] }
  }
  if (match) return { type: 'broken', reason: 'a default cannot hold another "${"; name one variable only' }
  if (body.startsWith('input:')) {
    return { type: 'broken', reason: `"\${input:…}" asks a person; use an environment variable, "\${NAME}", instead` }
  }
  return {
    type: 'broken',
    reason: `a placeholder is "\${NAME}", "\${NAME:-default}", "\${env:NAME}", "\${file:PATH}", "\${cmd:PROGRAM …}" or "\${keychain:SERVICE/ACCOUNT}"; write "$\${" for the plain text`,
  }
}

const parseCallerField = (body: string): Part =>
  (callerFields as readonly string[]).includes(body.slice('caller.'.length))
    ? { type: 'caller', text: `\${${body}}` }
    : {
        type: 'broken',
        reason: `of a caller there is ${callerFields.map((field) => `"\${caller.${field}}"`).join(', ')}, and nothing else`,
      }

const parseReference = (from: Reference['from'], what: string, fallback: string | undefined): Part => {
  const wrong = wrongReference(from, what)
  if (wrong !== undefined) return { type: 'broken', reason: wrong }
  if (`${what}${fallback ?? ''}`.includes('${'))
    return { type: 'broken', reason: `"\${${from}:…}" cannot hold another "\${"; write what it names as it is` }
  return { type: 'reference', reference: { from, what }, fallback }
}

const wrongReference = (from: Reference['from'], what: string): string | undefined => {
  if (what === '' || what.includes('\0'))
    return `"\${${from}:…}" names nothing; write what it should name behind the colon`
  if (from === 'cmd' && splitCommand(what) === undefined)
    return `"\${cmd:…}" has a quote that is never closed; write \${cmd:program "an argument" …}`
  if (from === 'keychain' && !/^.+\/[^/]+$/s.test(what))
    return `"\${keychain:…}" names a service and an account: \${keychain:github/alice}`
  return undefined
}

/**
 * The program and its arguments: split at white space, kept together by single or double quotes. There is no shell: no
 * variable, no star and no backslash means anything. Undefined where a quote stays open.
 */
export const splitCommand = (line: string): readonly string[] | undefined => {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (character === '"' || character === "'") {
      const end = line.indexOf(character, at + 1)
      if (end < 0) return undefined
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  if (word !== undefined) words.push(word)
  return words[0] === undefined || words[0] === '' ? undefined : words
}

const toProblems = (result: ExpandedText, path: Path, tooLarge: boolean): readonly VariableProblem[] => [
  ...result.unset.map((name) => ({
    code: 'VARIABLE_UNSET' as const,
    path,
    message: `the environment variable ${name} is not set; set it, or write \${${name}:-default}`,
  })),
  ...result.missing.map((message) => ({ code: 'VARIABLE_UNSET' as const, path, message })),
  ...result.broken.map((message) => ({ code: 'CONFIG_INVALID' as const, path, message })),
  ...(tooLarge ? [{ code: 'CONFIG_INVALID' as const, path, message: 'the variables make this file too large' }] : []),
]
