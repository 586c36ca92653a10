import { isSecretKey } from '../../config/secrets.js'
import type { ServerArgument, ServerInput } from '../../registries/server-json.js'
import { isSecretName } from '../../telemetry/secret-names.js'

/** A text of a configuration, with what it refers to named and no longer written out. */
export interface OpenText {
  /** With `{NAME}` for each reference. */
  readonly value: string
  readonly variables: Readonly<Record<string, ServerInput>>
}

/** What a written text is to others: where it refers to something of ours, they are asked for theirs. */
export const openText = (written: string): OpenText => {
  const variables: Record<string, ServerInput> = {}
  const value = written.replace(/\$\$|\$\{([^}]*)\}/g, (whole, body: string | undefined) => {
    if (body === undefined) return whole === '$$' ? '$' : whole
    const name = variableName(body, Object.keys(variables).length)
    variables[name] = { isRequired: true, isSecret: isSecretReference(body, name) }
    return `{${name}}`
  })
  return { value, variables }
}

/** By its name, whatever stands in it. */
export const namesSecret = (name: string): boolean => isSecretKey(name) || isSecretName(name.replace(/^-+/, ''))

const variableName = (body: string, at: number): string =>
  /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-.*)?$/s.exec(body)?.[1] ?? `value_${at + 1}`

/** What comes out of a file, a command or a keychain is kept there for a reason. */
const isSecretReference = (body: string, name: string): boolean =>
  /^(?:file|cmd|keychain):/.test(body) || namesSecret(name)

/** The words of a command as arguments that others can fill in: paths of this machine are asked for, and so is what was a reference. */
export const openArguments = (words: readonly string[]): readonly ServerArgument[] =>
  words.map((word, at) => {
    const [, name, value] = /^(--[A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? []
    return name === undefined
      ? { type: 'positional', ...openInput(word, `path_${at + 1}`) }
      : namedArgument(name, value!)
  })

const namedArgument = (name: string, value: string): ServerArgument => {
  const { valueHint: _, ...input } = openInput(value, '')
  return { type: 'named', name, ...(namesSecret(name) ? { isRequired: true, isSecret: true } : input) }
}

const openInput = (word: string, hint: string): ServerInput & { readonly valueHint?: string | undefined } => {
  if (isPlace(word)) return { valueHint: hint, format: 'filepath', isRequired: true }
  const { value, variables } = openText(word)
  return Object.keys(variables).length > 0 ? { value, variables } : { value }
}

const isPlace = (word: string): boolean => /^(?:[/~\\]|\.{1,2}(?:[/\\]|$)|[A-Za-z]:[/\\])/.test(word)

/** A list that is left out where nothing is in it. */
export const orNothing = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined)
