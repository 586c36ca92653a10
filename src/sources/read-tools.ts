import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { ToolDefinition, ToolSpec } from '../model/tool.js'
import { refuseDeep } from '../schema/nesting.js'
import { parseToolDefinition } from '../schema/tool-definition.js'
import type { SourceUpdate, ToolProblem } from './source.js'

// As large as a schema may be to be checked, and the words around it.
const longestDefinition = 1024 * 1024

/** A list from a stranger: what can be read is reported, what cannot is named, and neither hides the other. */
export const readTools = (listed: readonly unknown[], where: string): ToolList => {
  const reader = new ToolReader(where)
  for (const each of listed) reader.read(each)
  return reader.list
}

// What is read of a list in one go; then others have their turn (F34).
const longestTurnMs = 10

/** The same for a list that may be long, a moment at a time. */
export const readToolsInTurns = async (listed: readonly unknown[], where: string): Promise<ToolList> => {
  const reader = new ToolReader(where)
  let turnBegan = performance.now()
  for (const [index, each] of listed.entries()) {
    reader.read(each)
    // Lists of a few tools are read whole, on a busy machine too.
    if (index % 8 < 7 || performance.now() - turnBegan < longestTurnMs) continue
    await nextTurn()
    turnBegan = performance.now()
  }
  return reader.list
}

type ToolList = SourceUpdate & { readonly type: 'all' }

class ToolReader {
  readonly #where: string
  readonly #tools: ToolSpec[] = []
  readonly #problems: ToolProblem[] = []
  readonly #schemas = new Map<string, JsonObject>()
  #index = 0

  constructor(where: string) {
    this.#where = where
  }

  read(each: unknown): void {
    const index = this.#index++
    try {
      const name = nameOf(each, index)
      refuseDeep(each, `${this.#where} tool '${name.slice(0, 80)}'`)
      const definition = parseToolDefinition(each, `${this.#where} tool ${index}`)
      this.#tools.push({ definition: this.#sharing(definition, name) })
    } catch (thrown) {
      this.#problems.push({ tool: nameOf(each, index), error: toError(thrown) })
    }
  }

  get list(): ToolList {
    return { type: 'all', tools: this.#tools, problems: this.#problems }
  }

  /** Servers make many tools that take the same: one schema is held for all of them, and compiled once. */
  #sharing(definition: ToolDefinition, name: string): ToolDefinition {
    const text = JSON.stringify(definition.inputSchema)
    const length = text.length + (definition.outputSchema ? JSON.stringify(definition.outputSchema).length : 0)
    if (length > longestDefinition)
      throw new GatewayError(
        'SCHEMA_INVALID',
        `The schemas of ${this.#where} tool '${name.slice(0, 80)}' are longer than ${longestDefinition} characters; split the tool.`,
      )
    const known = this.#schemas.get(text)
    if (!known) this.#schemas.set(text, definition.inputSchema)
    return known ? { ...definition, inputSchema: known } : definition
  }
}

const nameOf = (each: unknown, index: number): string =>
  isRecord(each) && typeof each.name === 'string' ? each.name : `#${index}`

const toError = (thrown: unknown): GatewayError =>
  isGatewayError(thrown) ? thrown : new GatewayError('TOOL_INVALID', messageOf(thrown), { cause: thrown })
