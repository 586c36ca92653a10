import type { SourceConfig } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import { type Fleet, type Holding, type Place, sourceLease } from '../../fleet/fleet.js'
import { systemClock } from '../../model/clock.js'
import { SourceByCaller } from '../../sources/hosted/by-caller.js'
import { HostedSource, type KnownSource } from '../../sources/hosted/hosted.js'
import type { Hosting, OpenPeerSource, SourceHold, SourcePlace } from '../../sources/hosting.js'
import { isCallerAuth } from '../../sources/oauth/options.js'
import { createSetAsideSource } from '../../sources/set-aside.js'
import type { Source } from '../../sources/source.js'
import type { Logger } from '../../telemetry/logger.js'
import { markedLogger } from '../../telemetry/logger.js'
import { implementation } from '../version.js'

/** How the sources of a board share the replicas of its fleet. Loaded only where there is more than one. */
export interface FleetHosting {
  /** The source itself where each replica has its own; else what finds the one that is to be asked. */
  host(name: string, config: SourceConfig, parts: HostParts): Source
}

export interface HostParts {
  readonly make: (seen: KnownSource | undefined) => Source
  readonly seen: KnownSource | undefined
}

export interface FleetHostingOptions {
  readonly fleet: Fleet
  readonly open: OpenPeerSource
  readonly logger: Logger
  /** `server.drainMs`: what runs may take this long to answer before it is given to another replica. */
  readonly finishMs: () => number
}

export const createFleetHosting = ({ fleet, open, logger, finishMs }: FleetHostingOptions): FleetHosting => {
  const hosting: Hosting = {
    open,
    hold: (source, whenCutOff) => toHold(fleet.hold(sourceLease(source), { whenCutOff })),
    placeFor: (source, caller) => {
      const member = fleet.placeOf(`${source}\n${caller}`)
      return member.isUs ? undefined : member.name
    },
    isThere: (replica) => fleet.members().some(({ name }) => name === replica),
    onMembers: (listener) => fleet.onMembers(listener),
  }
  return {
    host: (name, config, { make, seen }) => {
      const how = hostingOf(config)
      if (how === 'each') return make(seen)
      const isolation = config.type === 'stdio' && config.isolation !== 'shared' ? config.isolation : undefined
      const tellsSession = isolation === 'session'
      const link = {
        ...{ name, clientInfo: implementation, clock: systemClock, logger: markedLogger(logger, name) },
        tellsSession,
      }
      const common = { name, hosting, link, clock: systemClock }
      if (how !== 'one')
        return Object.assign(
          new SourceByCaller({ ...common, inner: make(seen), isWanted: how === 'caller' || undefined }),
          { isolation },
        )
      const kind = config.type === 'misconfigured' ? config.declaredType : config.type
      const whenCutOff = config.type === 'misconfigured' ? 'keep' : config.whenCutOff
      // One that cannot be made says so in its place, and does not end whoever tries.
      const makeOrSay = (known: KnownSource | undefined): Source => {
        try {
          return make(known)
        } catch (error) {
          return createSetAsideSource({ kind, reason: messageOf(error), clock: systemClock })
        }
      }
      const hosted = new HostedSource({ ...common, kind, whenCutOff, make: makeOrSay, seen, finishMs: finishMs() })
      // Wherever it runs, what is answered is somebody's own.
      return Object.assign(hosted, { isolation })
    },
  }
}

/** What is kept in memory by a process of ours runs once; by a server that gives sessions, once per caller. */
const hostingOf = (config: SourceConfig): 'one' | 'each' | 'caller' | 'by session' => {
  if (config.type === 'misconfigured') return 'each'
  if (config.hosting !== undefined) return config.hosting
  if (config.type === 'stdio') return 'one'
  // What each caller has lies where every replica reads it: no call need be handed over.
  if ('auth' in config && isCallerAuth(config.auth)) return 'each'
  return ['http', 'sse', 'websocket'].includes(config.type) ? 'by session' : 'each'
}

const toHold = (holding: Holding): SourceHold => ({
  get place() {
    return toSourcePlace(holding.place)
  },
  onPlace: (listener) => holding.onPlace((place) => listener(toSourcePlace(place))),
  learn: (holder, epoch) => holding.learn(holder, epoch),
  ended: () => holding.ended(),
  release: () => holding.release(),
})

const toSourcePlace = (place: Place): SourcePlace =>
  place.at === 'elsewhere' ? { at: 'elsewhere', replica: place.member.name, epoch: place.epoch } : place
