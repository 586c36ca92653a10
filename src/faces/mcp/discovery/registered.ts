import { GatewayError } from '../../../errors.js'
import type { ToolSpec } from '../../../model/tool.js'
import type { Source, SourceUpdate, ToolProblem } from '../../../sources/source.js'

/** Definitions that `register_tool` added: found like any other, run by nobody here. */
export interface RegisteredSource extends Source {
  add(spec: ToolSpec): void
  remove(name: string): boolean
  has(name: string): boolean
}

/** The name of the source, in the catalog and in the store. */
export const registeredSourceName = 'registered'

export const createRegisteredSource = (known: readonly ToolSpec[] = []): RegisteredSource => {
  const specs = new Map(known.map((spec) => [spec.definition.name, spec]))
  let report: ((update: SourceUpdate) => readonly ToolProblem[]) | undefined
  return {
    kind: 'registered',
    add: (spec) => {
      specs.set(spec.definition.name, spec)
      const [problem] = report?.({ type: 'change', changed: [spec], removed: [] }) ?? []
      if (!problem) return
      specs.delete(spec.definition.name)
      throw problem.error
    },
    remove: (name) => {
      if (!specs.delete(name)) return false
      report?.({ type: 'change', changed: [], removed: [name] })
      return true
    },
    has: (name) => specs.has(name),
    watch: async (onTools, signal) => {
      report = onTools
      onTools({ type: 'all', tools: [...specs.values()] })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      report = undefined
    },
    call: (name) => {
      throw new GatewayError(
        'TOOL_NOT_CALLABLE',
        `'${name}' is registered as a definition only; mount the server that runs it.`,
        { notSent: true },
      )
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
