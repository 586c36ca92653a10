import type { GatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { defined, isRecord, type JsonObject } from '../model/json.js'
import { Share } from '../model/shares.js'
import type { McpLink } from './mcp-link.js'

/** The resources that somebody follows, kept subscribed at whichever link is there. */
export interface Followed {
  /**
   * Counted: the server hears of the first who asks and of the last who leaves. A refusal where the server would have to
   * remember more than it may, or more for this caller than leaves room for others.
   */
  add(uri: string, caller: string): (() => void) | GatewayError
  attach(link: McpLink): void
  detach(): void
}

// More is not following, it is flooding: the server would have to remember each.
const mostFollowed = 10_000

interface FollowedUri {
  count: number
  /** Who asked first, and has it in its share. */
  readonly caller: string
}

// The old stream stays this long beside the new one, so that nothing is said between the two.
const overlapMs = 1000

export const createFollowed = (clock: Clock): Followed => {
  const followed = new Map<string, FollowedUri>()
  const share = new Share('followed', { perCaller: mostFollowed, inAll: mostFollowed })
  let link: McpLink | undefined
  let stopListening: (() => void) | undefined
  let relistening = false

  const isLegacy = (): boolean => link?.info?.era === 'legacy'
  const tell = (method: string, uri: string): void => {
    if (link && canFollow(link)) link.own(method, { uri }).catch(() => {})
  }
  /** A modern stream cannot be changed: a new one with the whole set takes its place. */
  const listenAgain = (): void => {
    relistening = false
    if (!link || isLegacy()) return
    const before = stopListening
    const wanted = wishesOf(link, [...followed.keys()])
    stopListening = wanted && link.listen(wanted)
    if (before) clock.after(overlapMs, before)
  }
  const changed = (method: string, uri: string): void => {
    if (isLegacy()) return tell(method, uri)
    if (relistening) return
    relistening = true
    queueMicrotask(listenAgain)
  }
  const leave = (uri: string): void => {
    const known = followed.get(uri)
    if (!known || --known.count > 0) return
    followed.delete(uri)
    share.give(known.caller)
    changed('resources/unsubscribe', uri)
  }

  return {
    add: (uri, caller) => {
      const known = followed.get(uri)
      const refused = known ? undefined : share.take(caller)
      if (refused) return refused
      if (known) known.count += 1
      else {
        followed.set(uri, { count: 1, caller })
        changed('resources/subscribe', uri)
      }
      let left = false
      return () => {
        if (!left) leave(uri)
        left = true
      }
    },
    attach: (next) => {
      link = next
      if (isLegacy()) for (const uri of followed.keys()) tell('resources/subscribe', uri)
      else listenAgain()
    },
    detach: () => {
      stopListening?.()
      stopListening = undefined
      link = undefined
    },
  }
}

const canFollow = ({ info }: McpLink): boolean => {
  const resources = info?.capabilities.resources
  return isRecord(resources) && resources.subscribe === true
}

/** What to listen to, or nothing where the server has nothing of the kind. Tools have a stream of their own. */
const wishesOf = (link: McpLink, uris: readonly string[]): JsonObject | undefined => {
  const { prompts, resources } = link.info?.capabilities ?? {}
  const wishes = defined({
    promptsListChanged: isRecord(prompts) && prompts.listChanged === true ? true : undefined,
    resourcesListChanged: isRecord(resources) && resources.listChanged === true ? true : undefined,
    resourceSubscriptions: uris.length > 0 && canFollow(link) ? uris : undefined,
  })
  return Object.keys(wishes).length > 0 ? wishes : undefined
}
