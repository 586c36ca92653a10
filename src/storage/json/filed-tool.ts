import type { ToolDefinition } from '../../model/tool.js'
import type { StoredTool } from '../store.js'

/**
 * A stored tool whose definition is only where it lies in the file's bytes: of some thousands, few are ever looked at, and
 * parsed they take several times the room. The last one that somebody looked at stays parsed, since who looks, looks twice.
 */
export class FiledTool {
  /** Read from the bytes; of its own and not of the class, so that copies and comparisons have it. */
  declare readonly definition: ToolDefinition
  declare readonly id: string
  #file: Buffer
  #from = 0
  #to: number

  private constructor({ definition: _, ...fields }: StoredTool, entry: Buffer) {
    Object.assign(this, fields)
    // One function for all, or each would have a hidden class of its own.
    Object.defineProperty(this, 'definition', lazyDefinition)
    this.#file = entry
    this.#to = entry.length
  }

  /** `entry`: the tool as it stands in the file, from its id on. */
  static of(tool: StoredTool, entry: Buffer): FiledTool & StoredTool {
    return new FiledTool(tool, entry) as FiledTool & StoredTool
  }

  /** How many bytes of a file it takes. */
  get bytes(): number {
    return this.#to - this.#from
  }

  /** Copies it there, and is read from there from now on; the bytes are the same. The place behind it. */
  moveTo(file: Buffer, from: number): number {
    this.#file.copy(file, from, this.#from, this.#to)
    this.#to = from + this.bytes
    this.#from = from
    this.#file = file
    // Of another file now, which it would keep in memory.
    lastRead = undefined
    return this.#to
  }

  static read(tool: FiledTool): ToolDefinition {
    if (lastRead?.tool === tool) return lastRead.definition
    const entry = JSON.parse(`{${tool.#file.toString('utf8', tool.#from, tool.#to)}}`) as Record<string, StoredTool>
    const { definition } = Object.values(entry)[0]!
    lastRead = { tool, definition }
    return definition
  }
}

let lastRead: { readonly tool: FiledTool; readonly definition: ToolDefinition } | undefined

const lazyDefinition: PropertyDescriptor & ThisType<FiledTool> = {
  enumerable: true,
  get() {
    return FiledTool.read(this)
  },
}
