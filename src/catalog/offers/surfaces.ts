import type { IsFor } from '../../model/call.js'
import type { JsonObject } from '../../model/json.js'
import type { McpSurface, SurfaceKind } from '../../sources/surface.js'

/** A surface and the name before its prompts and, where two would meet, its resources. */
export interface MountedSurface {
  readonly source: string
  readonly namespace: string
  readonly surface: McpSurface
  /** Time for one request to it, before the gateway's default. */
  readonly timeoutMs?: number | undefined
  /** The canonical id of something it offers, for the policy's patterns. */
  idOf(name: string): string
}

export interface SurfaceListener {
  changed(kind: SurfaceKind): void
  /** `isFor` tells whom it concerns, where that is not everybody who follows it. */
  updated(source: string, params: JsonObject, isFor?: IsFor): void
  /** Ids are each source's own: one may not end what another asked (S26). */
  completed?(source: string, elicitationId: string, isFor?: IsFor): void
}

/** The surfaces of all mounted sources, sorted by namespace, so that lists are the same whoever started first. */
export interface Surfaces {
  all(): readonly MountedSurface[]
  /** Changes whenever a list or the set of sources does. */
  readonly version: number
  subscribe(listener: SurfaceListener): () => void
  /** What may be shown of the lists has changed, though no source said so. */
  recheck(): void
}

export interface SurfaceRack extends Surfaces {
  mount(mounted: MountedSurface): void
  unmount(source: string): void
}

export const createSurfaceRack = (): SurfaceRack => {
  const mounted = new Map<string, { readonly entry: MountedSurface; readonly stop: () => void }>()
  const listeners = new Set<SurfaceListener>()
  let sorted: readonly MountedSurface[] = []
  let version = 0

  const changed = (kind: SurfaceKind): void => {
    version += 1
    for (const listener of [...listeners]) listener.changed(kind)
  }
  const sort = (): void => {
    sorted = [...mounted.values()]
      .map(({ entry }) => entry)
      .sort((one, other) => (one.namespace < other.namespace ? -1 : 1))
    changed('prompts')
    changed('resources')
  }
  return {
    all: () => sorted,
    recheck: () => {
      changed('prompts')
      changed('resources')
    },
    get version() {
      return version
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    mount: (entry) => {
      const { source, surface } = entry
      const stops = [
        surface.onChange(changed),
        surface.onUpdated((params, isFor) => {
          for (const listener of [...listeners]) listener.updated(source, params, isFor)
        }),
        surface.onCompleted?.((id, isFor) => {
          for (const listener of [...listeners]) listener.completed?.(source, id, isFor)
        }),
      ]
      mounted.set(source, {
        entry,
        stop: () => {
          for (const stop of stops) stop?.()
        },
      })
      sort()
    },
    unmount: (source) => {
      const found = mounted.get(source)
      if (!found) return
      mounted.delete(source)
      found.stop()
      sort()
    },
  }
}
