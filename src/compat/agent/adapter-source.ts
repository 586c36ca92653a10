import { isGatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { type Answer, resultAnswer, type ToolResult, valueAnswer } from '../../model/result.js'
import { readTools } from '../../sources/read-tools.js'
import type { Source, SourceUpdate, ToolProblem } from '../../sources/source.js'
import type { IMCPServiceAdapter } from './adapter.js'
import { fromAdapterError } from './agent-error.js'
import type { AgentLogger } from './log.js'

/** A service as a source, so that its calls take the one call path. It is lent: disposing it leaves the service alone. */
export interface AdapterSource extends Source {
  /** Asks the service for its tools and reports them; their names, in its order. A service that fails has none. */
  refresh(): Promise<readonly string[]>
}

export interface AdapterSourceOptions {
  readonly clock: Clock
  readonly logger: AgentLogger
  /** A service that takes longer is listed as it was last seen. */
  readonly listTimeoutMs: number
}

export const createAdapterSource = (adapter: IMCPServiceAdapter, options: AdapterSourceOptions): AdapterSource => {
  let report: ((update: SourceUpdate) => readonly ToolProblem[]) | undefined
  let known: readonly string[] = []
  let asking: Promise<readonly string[]> | undefined

  const take = (update: SourceUpdate & { readonly type: 'all' }): readonly string[] => {
    report?.(update)
    known = [...new Set(update.tools.map(({ definition }) => definition.name))]
    return known
  }
  const ask = async (): Promise<readonly string[]> => {
    try {
      return take(readTools(await adapter.listTools(), `service '${adapter.name}'`))
    } catch (error) {
      // Whoever stopped it knows; the others want to hear of it.
      const level = adapter.status === 'stopped' ? 'debug' : 'warn'
      options.logger.log(level, `Service ${adapter.name} did not list its tools: ${messageOf(error)}`)
      return take({ type: 'all', tools: [] })
    }
  }

  return {
    kind: adapter.type,
    watch: (onTools, signal) =>
      new Promise((resolve) => {
        report = onTools
        onTools({ type: 'all', tools: [] })
        signal.addEventListener('abort', () => resolve((report = undefined)), { once: true })
      }),
    call: async (name, args, context) => {
      try {
        if (adapter.carry) return await adapter.carry(name, args, context)
        return toAnswer(await adapter.callTool(name, args as Record<string, any>))
      } catch (error) {
        throw isGatewayError(error) ? error : fromAdapterError(error)
      }
    },
    refresh: () => {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return orAfter(asking, options, () => {
        options.logger.warn(`Service ${adapter.name} is slow to list its tools; it is listed as last seen`)
        return known
      })
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

const toAnswer = (value: unknown): Answer =>
  isRecord(value) && Array.isArray(value.content) ? resultAnswer(value as ToolResult) : valueAnswer(value)

const orAfter = <T>(promise: Promise<T>, options: AdapterSourceOptions, otherwise: () => T): Promise<T> =>
  new Promise((resolve) => {
    const cancel = options.clock.after(options.listTimeoutMs, () => resolve(otherwise()))
    void promise.then((value) => {
      cancel()
      resolve(value)
    })
  })
