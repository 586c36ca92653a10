import { createHash } from 'node:crypto'

/** Why this cannot be the name of a source, or undefined. */
export const nameProblem = (name: string): string | undefined => {
  if (name.trim() === '') return 'a source needs a name'
  if (name !== name.trim()) return 'a name must not start or end with a space'
  if (name.length > 128) return 'a name has at most 128 characters'
  if (/\p{C}/u.test(name)) return 'a name must not hold control or invisible characters'
  // Names end up in lookups and in paths of others' making.
  if (name in Object.prototype || name === 'prototype') return 'this name is reserved; choose another'
  if (name.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'a name must not be a relative path'
  return undefined
}

/** Why this cannot be a namespace, or undefined. */
export const namespaceProblem = (namespace: string, separator: string): string | undefined => {
  if (namespace.includes(separator)) {
    return `a namespace must not hold the separator "${separator}"; choose another word, or set toolManager.namespaceSeparator`
  }
  // T20: safe names join by it, so `a__b` + `c` would read like `a` + `b__c`.
  if (namespace.includes('__')) return 'a namespace must not hold "__"; use a single _'
  if (!/^[\p{L}\p{M}\p{N}_./-]{1,64}$/u.test(namespace)) {
    return 'a namespace has 1 to 64 letters, digits, _ - . or /'
  }
  if (isMixedScript(namespace)) return 'a namespace must not mix look-alike letters of several scripts'
  return undefined
}

/** The namespace of a source that names none: its own name with everything illegal replaced, the same every time. */
export const toNamespace = (name: string, separator: string): string => {
  const filler = separator === '_' ? '-' : '_'
  const legal = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, filler)
    .replaceAll(separator, filler)
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
  const short = [...legal].slice(0, 64).join('').slice(0, 64)
  if (namespaceProblem(short, separator) === undefined) return short
  return `source${filler}${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}

/** Names that a person would take for the same one have the same key (corpus K12, T20). */
export const lookAlikeKey = (name: string): string => name.normalize('NFKC').toLowerCase()

// `ѕearch` with a Cyrillic first letter reads like `search`.
const isMixedScript = (text: string): boolean =>
  /\p{Script=Latin}/u.test(text) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}]/u.test(text)
