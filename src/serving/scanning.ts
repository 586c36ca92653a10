import type { Gateway } from '../gateway.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import type { Finding, Severity } from '../scanner/finding.js'
import { type Neighbours, scan } from '../scanner/scan.js'

export type { Finding, Severity } from '../scanner/finding.js'

export const severities = ['low', 'medium', 'high'] as const satisfies readonly Severity[]

/** Words that a source says, and what they belong to. */
export interface SpokenWords {
  readonly source: string
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template' | 'instructions' | 'result'
  readonly id: string
  readonly words: JsonObject
}

/** Something in which the scanner found something. */
export interface ScannedWords {
  readonly source: string
  readonly kind: SpokenWords['kind']
  readonly id: string
  readonly findings: readonly Finding[]
}

/** What a source offers besides tools, as far as it is words. */
export interface OfferedWords {
  readonly source: string
  readonly instructions?: string | undefined
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
}

/** What the sources of a board offer besides tools, when they have told it. */
export const offeredBy = async ({ surfaces }: Pick<Gateway, 'surfaces'>): Promise<readonly OfferedWords[]> => {
  await Promise.all(surfaces.all().map(({ surface }) => surface.settled()))
  return surfaces.all().flatMap(({ source, surface: { own, offer } }) => {
    if (own || !offer) return []
    const { instructions, prompts, resources, templates } = offer
    return [{ source, instructions, prompts, resources, templates }]
  })
}

/** As long as others wait for the event loop while a large board is read. */
const sliceMs = 10

/** Reads all of it in slices and tells in what something was found. `among` are all the tools whose names count as neighbours. */
export const scanWords = async (
  spoken: readonly SpokenWords[],
  among: readonly Pick<Tool, 'source' | 'name'>[],
): Promise<readonly ScannedWords[]> => {
  const neighbours = neighboursAmong(among)
  const found: ScannedWords[] = []
  let until = performance.now() + sliceMs
  for (const { source, kind, id, words } of spoken) {
    const findings = scan(words, neighbours(source))
    if (findings.length > 0) found.push({ source, kind, id, findings })
    if (performance.now() < until) continue
    await new Promise((resolve) => setImmediate(resolve))
    until = performance.now() + sliceMs
  }
  return found
}

/** What was found in one tool. */
export const scanTool = (tool: Tool, among: readonly Pick<Tool, 'source' | 'name'>[]): readonly Finding[] =>
  scan(tool.definition as unknown as JsonObject, neighboursAmong(among)(tool.source))

/** What was found in what a tool answered. */
export const scanResult = (result: JsonObject): readonly Finding[] => scan(result)

export const toolWords = (tools: readonly Tool[]): readonly SpokenWords[] =>
  tools.flatMap(({ own, id, source, definition }) =>
    own ? [] : [{ source, kind: 'tool' as const, id, words: definition as unknown as JsonObject }],
  )

export const offerWords = (offers: readonly OfferedWords[]): readonly SpokenWords[] =>
  offers.flatMap(({ source, instructions, prompts, resources, templates }) => {
    const named = (kind: SpokenWords['kind'], items: readonly JsonObject[]): readonly SpokenWords[] =>
      items.map((words) => ({ source, kind, id: `${source}: ${String(words.name ?? words.uri ?? kind)}`, words }))
    return [
      ...(instructions ? [{ source, kind: 'instructions' as const, id: source, words: { instructions } }] : []),
      ...named('prompt', prompts),
      ...named('resource', resources),
      ...named('template', templates),
    ]
  })

/** The words of a file: what `tools/list` and the like answered, alone, in a list, or inside an answer; else one result. */
export const fileWords = (json: unknown, file: string): readonly SpokenWords[] => {
  const value = isRecord(json) && isRecord(json.result) ? json.result : json
  if (Array.isArray(value)) return value.flatMap((item, at) => (isRecord(item) ? [wordsOf(item, file, at)] : []))
  if (!isRecord(value)) return []
  const lists = [value.tools, value.prompts, value.resources, value.resourceTemplates]
  const items = lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter(isRecord)
  const spoken = items.map((item, at) => wordsOf(item, file, at))
  const { instructions } = value
  if (typeof instructions === 'string')
    return [...spoken, { source: file, kind: 'instructions', id: file, words: { instructions } }]
  return spoken.length > 0 ? spoken : [wordsOf(value, file, 0)]
}

const wordsOf = (item: Record<string, unknown>, source: string, at: number): SpokenWords => {
  const words = item as JsonObject
  const id = String(item.name ?? item.uri ?? `${source} ${at + 1}`)
  if ('content' in item || 'structuredContent' in item) return { source, kind: 'result', id, words }
  if ('inputSchema' in item || 'input_schema' in item || 'parameters' in item)
    return { source, kind: 'tool', id, words }
  return {
    source,
    kind: 'uriTemplate' in item ? 'template' : 'uri' in item ? 'resource' : 'arguments' in item ? 'prompt' : 'tool',
    id,
    words,
  }
}

/** The names on the board from where one source stands, made once per source. */
const neighboursAmong = (among: readonly Pick<Tool, 'source' | 'name'>[]): ((source: string) => Neighbours) => {
  const bySource = new Map<string, Set<string>>()
  for (const { source, name } of among) bySource.set(source, (bySource.get(source) ?? new Set()).add(name))
  let last: { readonly source: string; readonly neighbours: Neighbours } | undefined
  return (source) => {
    if (last?.source === source) return last.neighbours
    const others = new Set([...bySource].flatMap(([name, names]) => (name === source ? [] : [name, ...names])))
    const neighbours = { own: bySource.get(source) ?? new Set<string>(), others }
    last = { source, neighbours }
    return neighbours
  }
}
