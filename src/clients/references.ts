import type { ClientProgram } from './client.js'

/** What a client's text becomes in ours, and the variables that have to be set for it. */
export interface Referenced {
  readonly value: unknown
  /** Variables of which the client asks a person: here they come from the environment. */
  readonly asked: readonly string[]
}

export interface ReferenceSurroundings {
  /** What `${workspaceFolder}` means in this file. */
  readonly folder: string | undefined
}

/**
 * Turns a client's ways of writing variables into ours, so that a reference stays a reference: nothing is resolved here,
 * and no value of the environment is ever copied into a file.
 */
export const toOurReferences = (
  value: unknown,
  client: Pick<ClientProgram, 'variables' | 'bareVariables'>,
  surroundings: ReferenceSurroundings,
): Referenced => {
  const asked = new Set<string>()
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string') return translate(node, client, surroundings, asked)
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, visit(item)]))
  }
  return { value: visit(value), asked: [...asked] }
}

const translate = (
  text: string,
  { variables, bareVariables }: Pick<ClientProgram, 'variables' | 'bareVariables'>,
  { folder }: ReferenceSurroundings,
  asked: Set<string>,
): string => {
  if (!text.includes('$')) return text
  // Where the client reads no variables, a dollar sign is a dollar sign, and must stay one.
  if (variables === undefined) return text.replace(/\$(?=[${])/g, '$$$$')
  return (
    text
      // The second are words of ours alone: what a client takes for plain text must not read a file or run a program here (T15).
      .replace(/\$\$|\$(?=\{(?:file|cmd|keychain):)/g, '$&$&')
      .replace(/\$\{input:([^}]*)\}/g, (_, id: string) => `\${${askFor(id, asked)}}`)
      .replace(/\$\{workspaceFolder\}/g, (whole) => folder ?? whole)
      .replace(bareVariables ? /(?<!\$)\$([A-Za-z_]\w*)/g : /(?!)/g, (_, name: string) => `\${${name}}`)
  )
}

const askFor = (id: string, asked: Set<string>): string => {
  const name = id
    .toUpperCase()
    .replace(/[^A-Z0-9_]+/g, '_')
    .replace(/^(?=\d)|^$/, '_')
  asked.add(name)
  return name
}

/** A variable in a client's own words; undefined where its file knows none. */
export const inTheirWords = (name: string, { variables }: Pick<ClientProgram, 'variables'>): string | undefined => {
  if (variables === undefined) return undefined
  if (variables === 'dollar') return `$${name}`
  return variables === 'env' ? `\${env:${name}}` : `\${${name}}`
}
