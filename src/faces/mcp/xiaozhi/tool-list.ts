import { createHash } from 'node:crypto'
import { byteLength, fitText } from '../../../model/fit/fit-text.js'
import type { JsonObject } from '../../../model/json.js'
import { toEndpointSafe } from '../../../schema/projections/endpoint-safe.js'
import { type ListItem, type ListPage, pageAfter, toPages } from '../list-pages.js'
import { createLinkNames, type LinkNames } from './names.js'

/** The face's list as the link carries it: legal names, schemas without references, pages that fit. */
export interface LinkList {
  readonly names: LinkNames
  readonly tools: number
  /** UTF-8 bytes of the whole `tools` array (001 open point 4). */
  readonly bytes: number
  readonly pages: number
  /** Equal lists have equal ones. */
  readonly fingerprint: string
  /** Tools that had to be altered or left out, in words for the log. */
  readonly problems: readonly string[]
  /** The result of `tools/list` for this cursor. */
  page(cursor: unknown): string
}

/** A rough figure for people: the true limit of the far side is in tokens and not published (X14). */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / 4)

export const toLinkList = (tools: readonly JsonObject[], maxBytes: number): LinkList => {
  const names = createLinkNames(tools.map((tool) => String(tool.name)))
  const problems = names.collisions.map(
    ({ name, tools: claimants }) => `${claimants.join(' and ')} would both be called '${name}' on the link`,
  )
  const items: ListItem[] = []
  for (const tool of tools) {
    const name = names.linkName(String(tool.name))
    if (name !== undefined) items.push({ key: String(tool.name), json: toolJson(tool, name, maxBytes, problems) })
  }
  items.sort((a, b) => (a.key < b.key ? -1 : 1))
  const pages = toPages(items, maxBytes)
  const text = pages.map(pageJson)
  return {
    names,
    tools: items.length,
    bytes: items.reduce((sum, { json }) => sum + byteLength(json) + 1, 1),
    pages: pages.length,
    fingerprint: createHash('sha256').update(text.join('\n')).digest('base64'),
    problems,
    page: (cursor) => {
      const page = pageAfter(pages, cursor)
      const index = pages.indexOf(page)
      return index >= 0 ? text[index]! : pageJson(page)
    },
  }
}

// Nothing but what the far side keeps (X13): each byte of a list that nobody reads takes one from a tool.
const toolJson = (tool: JsonObject, name: string, maxBytes: number, problems: string[]): string => {
  const description = [tool.description, tool.title].find((text) => typeof text === 'string') ?? ''
  const whole = { name, description: String(description), inputSchema: safeSchema(tool, problems) }
  const json = JSON.stringify(whole)
  if (byteLength(json) + 2 <= maxBytes) return json
  problems.push(`'${String(tool.name)}' alone is larger than the list may be; its description is cut`)
  return fitTool(whole, maxBytes)
}

interface LinkTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** First the description gives way, then the schema: a tool with an open schema can still be called. */
const fitTool = (tool: LinkTool, maxBytes: number): string => {
  for (const inputSchema of [tool.inputSchema, openSchema]) {
    const bare = JSON.stringify({ ...tool, description: '', inputSchema })
    for (let room = maxBytes - 2 - byteLength(bare); room >= 64; room = room >> 1) {
      const json = JSON.stringify({ ...tool, description: fitText(tool.description, room) ?? '', inputSchema })
      if (byteLength(json) + 2 <= maxBytes) return json
    }
  }
  return JSON.stringify({ ...tool, description: '', inputSchema: openSchema })
}

const openSchema: JsonObject = Object.freeze({ type: 'object', properties: {} })

const safeSchema = (tool: JsonObject, problems: string[]): JsonObject => {
  try {
    const { schema } = toEndpointSafe((tool.inputSchema ?? openSchema) as JsonObject)
    return { ...schema, type: 'object', properties: schema.properties ?? {} }
  } catch {
    // X16: a tool with a schema nobody can read may still be called; its own source checks the arguments.
    problems.push(`the schema of '${String(tool.name)}' could not be read; it is shown as an open object`)
    return openSchema
  }
}

const pageJson = ({ items, nextCursor }: ListPage): string => {
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`
  return `{"tools":[${items.map(({ json }) => json).join(',')}]${next}}`
}
