import type { JsonObject } from '../../src/model/json.js'
import { resultAnswer, textResult } from '../../src/model/result.js'
import type { Source, SourceCall } from '../../src/sources/source.js'
import type { McpSurface, SurfaceKind, SurfaceOffer } from '../../src/sources/surface.js'

export interface SurfaceRecord {
  readonly method: string
  readonly params: JsonObject
  readonly call: SourceCall
}

/** A source that offers what the test says, and remembers what it was asked. */
export interface SurfaceSource extends Source {
  readonly surface: McpSurface
  readonly asked: SurfaceRecord[]
  /** URIs followed at the moment. */
  readonly followed: Set<string>
  change(offer: Partial<SurfaceOffer>, kind: SurfaceKind): void
  update(uri: string): void
}

export const createSurfaceSource = (
  offer: Partial<SurfaceOffer>,
  answer: (record: SurfaceRecord) => JsonObject | Promise<JsonObject> = () => ({}),
  tools: readonly JsonObject[] = [],
): SurfaceSource => {
  const changed = new Set<(kind: SurfaceKind) => void>()
  const updated = new Set<(params: JsonObject) => void>()
  const asked: SurfaceRecord[] = []
  const followed = new Set<string>()
  let current: SurfaceOffer = {
    era: 'modern',
    capabilities: { prompts: {}, resources: {}, completions: {} },
    instructions: undefined,
    prompts: [],
    resources: [],
    templates: [],
    ...offer,
  }
  return {
    kind: 'surface',
    asked,
    followed,
    change: (more, kind) => {
      current = { ...current, ...more }
      for (const listener of changed) listener(kind)
    },
    update: (uri) => {
      for (const listener of updated) listener({ uri })
    },
    ask: async ({ method, params }, call) => {
      const record = { method, params, call }
      asked.push(record)
      return answer(record)
    },
    surface: {
      get offer() {
        return current
      },
      settled: async () => {},
      follow: (uri) => {
        followed.add(uri)
        return () => void followed.delete(uri)
      },
      listen: () => () => {},
      onChange: (listener) => {
        changed.add(listener)
        return () => void changed.delete(listener)
      },
      onUpdated: (listener) => {
        updated.add(listener)
        return () => void updated.delete(listener)
      },
    },
    watch: async (onTools, signal) => {
      onTools({ type: 'all', tools: tools.map((definition) => ({ definition: definition as never })) })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: () => resultAnswer(textResult('called')),
    [Symbol.asyncDispose]: async () => {},
  }
}
