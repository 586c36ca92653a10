import type { Clock } from '../model/clock.js'
import { defined, isRecord, type JsonObject } from '../model/json.js'
import type { McpLink } from './mcp-link.js'

/** The resources that somebody follows, kept subscribed at whichever link is there. */
export interface Followed {
  /** Counted: the server hears of the first who asks and of the last who leaves. */
  add(uri: string): () => void
  attach(link: McpLink): void
  detach(): void
}

// More is not following, it is flooding: the server would have to remember each.
const mostFollowed = 10_000
// The old stream stays this long beside the new one, so that nothing is said between the two.
const overlapMs = 1000

export const createFollowed = (clock: Clock): Followed => {
  const counts = new Map<string, number>()
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
    const wanted = wishesOf(link, [...counts.keys()])
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
    const count = counts.get(uri) ?? 0
    if (count > 1) return void counts.set(uri, count - 1)
    if (counts.delete(uri)) changed('resources/unsubscribe', uri)
  }

  return {
    add: (uri) => {
      const count = counts.get(uri) ?? 0
      if (count === 0 && counts.size >= mostFollowed) return () => {}
      counts.set(uri, count + 1)
      if (count === 0) changed('resources/subscribe', uri)
      let left = false
      return () => {
        if (!left) leave(uri)
        left = true
      }
    },
    attach: (next) => {
      link = next
      if (isLegacy()) for (const uri of counts.keys()) tell('resources/subscribe', uri)
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
