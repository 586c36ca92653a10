import type { StoredTool } from '../store.js'
import type { KeeperLine } from './line.js'

/** Who wants to hear what was written. */
export class Followers {
  readonly tools = new Set<(changed: readonly StoredTool[], gone: readonly string[]) => void>()
  readonly #kinds = new Map<string, KindFollowers>()

  constructor(line: KeeperLine) {
    line.onMessage((message) => {
      if (!('told' in message)) return
      if (message.told === 'kind') this.#kinds.get(message.kind)?.tell()
      else for (const listener of [...this.tools]) listener(message.changed, message.gone)
    })
  }

  of(kind: string): KindFollowers {
    const known = this.#kinds.get(kind) ?? new KindFollowers()
    this.#kinds.set(kind, known)
    return known
  }

  /** Resolves when all have taken up what they were told so far. */
  async settled(): Promise<void> {
    await Promise.all([...this.#kinds.values()].map((kind) => kind.settled()))
  }
}

class KindFollowers {
  readonly #followers = new Set<Follower>()

  add(listener: () => void | Promise<void>): () => void {
    const follower = new Follower(listener)
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  tell(): void {
    for (const follower of [...this.#followers]) void follower.tell()
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#followers].map((follower) => follower.busy))
  }
}

/** Told one thing after the other: news that come while it is busy are told once, when it is done. */
class Follower {
  busy: Promise<void> | undefined
  readonly #listener: () => void | Promise<void>
  #isNews = false

  constructor(listener: () => void | Promise<void>) {
    this.#listener = listener
  }

  tell(): void {
    this.#isNews = true
    this.busy ??= this.#takeUp().finally(() => {
      this.busy = undefined
    })
  }

  async #takeUp(): Promise<void> {
    while (this.#isNews) {
      this.#isNews = false
      try {
        await this.#listener()
      } catch {
        // Its own affair: the others are to hear of it all the same.
      }
    }
  }
}
