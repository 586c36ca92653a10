import { hash } from 'node:crypto'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { Tool, ToolDefinition } from '../model/tool.js'

/** What a source says that people look at before models do. */
export type ReviewedKind = 'tool' | 'instructions' | 'prompt' | 'template' | 'resource'

/** One thing a source says: a tool, or other words in the form of one, so that both are compared alike. */
export interface Reviewed extends Pick<Tool, 'source' | 'name' | 'id' | 'definition' | 'own'> {
  /** Default `tool`. */
  readonly kind?: ReviewedKind | undefined
  /** As the source wrote it, for the scanner. Default: the definition. */
  readonly said?: JsonObject | undefined
}

/** What a server says to every model. */
export const reviewedInstructions = (source: string, text: string): Reviewed => ({
  kind: 'instructions',
  source,
  name: '',
  id: `${source}#instructions`,
  definition: { name: 'instructions', description: text, inputSchema: { type: 'object' } },
  said: { instructions: text },
})

/** A prompt: its arguments are its schema. */
export const reviewedPrompt = (source: string, prompt: JsonObject): Reviewed =>
  remembered(prompt, () => {
    const name = String(prompt.name)
    const args = (Array.isArray(prompt.arguments) ? prompt.arguments : []).filter(isRecord)
    const properties = Object.fromEntries(args.map(({ name: each, required: _, ...rest }) => [String(each), rest]))
    const required = args.filter((each) => each.required === true).map((each) => String(each.name))
    return {
      kind: 'prompt',
      source,
      name,
      id: `${source}#prompt/${typeable(name)}`,
      definition: worded(prompt, name, { properties, required: required.sort() }),
      said: prompt,
    }
  })

/** A template, by its address: what it calls itself is a part of its words. */
export const reviewedTemplate = (source: string, template: JsonObject): Reviewed =>
  remembered(template, () => {
    const name = String(template.uriTemplate)
    return {
      kind: 'template',
      source,
      name,
      id: `${source}#template/${typeable(name)}`,
      definition: worded(template, name, { title: template.name, contentMediaType: template.mimeType }),
      said: template,
    }
  })

/** The words of a listed resource, or undefined where it has none beside its address. */
export const reviewedResource = (source: string, resource: JsonObject): Reviewed | undefined => {
  if (!hasWords(resource)) return undefined
  return remembered(resource, () => {
    const name = String(resource.uri)
    return {
      kind: 'resource',
      source,
      name,
      id: `${source}#resource/${typeable(name)}`,
      definition: worded(resource, name, { title: resource.name }),
      said: resource,
    }
  })
}

/** What is left of a resource while nobody has looked at its words: where it is, what it is and how long. */
export const withoutWords = ({ uri, mimeType, size }: JsonObject): JsonObject => {
  const bare = { uri, name: uri, mimeType, size }
  return Object.fromEntries(Object.entries(bare).filter(([, value]) => value !== undefined)) as JsonObject
}

const longestTyped = 160

/** A stranger's name as somebody can type it after `pegboard approvals show`: nothing that a shell or a terminal acts on. */
const typeable = (name: string): string => {
  const plain = wellFormed(name).replace(/[^\w.:/{}+@~-]/gu, inBytes)
  return plain.length <= longestTyped
    ? plain
    : `${plain.slice(0, longestTyped - 13)}~${hash('sha256', name).slice(0, 12)}`
}

const inBytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** A lone surrogate has no bytes: it is written as what stands for the unreadable. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd')

const wordy = ['title', 'description', 'annotations', 'icons', '_meta'] as const

/** A name that is a part of the address tells nothing that the address does not: file servers list thousands of those. */
const hasWords = (resource: JsonObject): boolean =>
  wordy.some((field) => resource[field] !== undefined) || !readable(resource.uri).includes(readable(resource.name))

const readable = (text: JsonValue | undefined): string => {
  const plain = typeof text === 'string' ? text : ''
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** In the form of a tool: what is read is compared as words, the rest as a schema. */
const worded = (said: JsonObject, name: string, schema: Readonly<Record<string, unknown>>): ToolDefinition =>
  ({
    name,
    title: said.title,
    description: said.description,
    annotations: said.annotations,
    icons: said.icons,
    inputSchema: JSON.parse(JSON.stringify({ type: 'object', ...schema })),
  }) as ToolDefinition

const known = new WeakMap<JsonObject, Reviewed>()

/** Lists are immutable and looked at often: each item is turned into this form once. */
const remembered = (said: JsonObject, make: () => Reviewed): Reviewed => {
  const found = known.get(said)
  if (found) return found
  const made = make()
  known.set(said, made)
  return made
}
