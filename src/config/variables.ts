import type { Path } from './problems.js'

export type Environment = Readonly<Record<string, string | undefined>>

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string; readonly fallback?: string | undefined }
  | { readonly type: 'broken'; readonly reason: string }

export interface ExpandedText {
  readonly text: string
  /** Variables that are not set and have no default; their placeholders stay in `text` as they were written. */
  readonly unset: readonly string[]
  /** Placeholders that cannot be read, each as a sentence. */
  readonly broken: readonly string[]
  /** True if anything was replaced, escapes included. */
  readonly changed: boolean
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
 * Replaces `${NAME}`, `${NAME:-default}` and `${env:NAME}` in every string of a value; keys stay as they are. One pass:
 * what a variable holds is never read again, or its owner could reach every other variable. `$$` is a dollar sign, and a
 * dollar sign before anything else is itself.
 */
export const expandVariables = (value: unknown, env: Environment): Expansion => {
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
    const result = expandText(text, env, budget)
    budget -= result.text.length
    problems.push(...toProblems(result, path, budget < 0))
    if (result.changed) expanded.push({ path, template: text })
    return result.text
  }
  return { value: visit(value, []), expanded, problems }
}

/** Replaces the placeholders of one string; see `expandVariables`. */
export const expandText = (text: string, env: Environment, limit = maxExpandedLength): ExpandedText => {
  const unset: string[] = []
  const broken: string[] = []
  let result = ''
  for (const part of parseTemplate(text)) {
    if (result.length > limit) break
    if (part.type === 'text') result += part.text
    else if (part.type === 'broken') broken.push(part.reason)
    else result += resolve(part.name, part.fallback, env) ?? keep(part.name, unset)
  }
  return { text: result, unset, broken, changed: result !== text }
}

/** The names of the variables that a string refers to. */
export const variablesIn = (text: string): readonly string[] =>
  parseTemplate(text).flatMap((part) => (part.type === 'variable' ? [part.name] : []))

/** Writes a text so that expanding it gives the text back. */
export const escapeText = (text: string): string => text.replaceAll('$', '$$$$')

const keep = (name: string, unset: string[]): string => {
  unset.push(name)
  return `\${${name}}`
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
    reason: `a placeholder is "\${NAME}", "\${NAME:-default}" or "\${env:NAME}"; write "$\${" for the plain text`,
  }
}

const toProblems = (result: ExpandedText, path: Path, tooLarge: boolean): readonly VariableProblem[] => [
  ...result.unset.map((name) => ({
    code: 'VARIABLE_UNSET' as const,
    path,
    message: `the environment variable ${name} is not set; set it, or write \${${name}:-default}`,
  })),
  ...result.broken.map((message) => ({ code: 'CONFIG_INVALID' as const, path, message })),
  ...(tooLarge ? [{ code: 'CONFIG_INVALID' as const, path, message: 'the variables make this file too large' }] : []),
]
