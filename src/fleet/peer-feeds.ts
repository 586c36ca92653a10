import { createSseParser } from '../mcp/framing.js'
import type { Caller } from '../model/caller.js'
import { Cancel } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import type { Fleet, Member } from './fleet.js'
import type { FeedReader, Others } from './others.js'

export interface PeerFeedOptions {
  readonly fleet: Pick<Fleet, 'members' | 'onMembers'>
  readonly others: Pick<Others, 'open'>
  readonly clock: Clock
  /** Below `/fleet/v1`. */
  readonly path: string
}

const againMs = 1000
const mostEventBytes = 4 * 1024 * 1024

/** For the replica itself, to show its operators what others know. */
const watcher: Caller = Object.freeze({ id: 'replica', rights: Object.freeze(['discover', 'look', 'admin'] as const) })

/** The streams of all other replicas while somebody reads here: one to each, come back to by themselves, none while nobody reads. */
export class PeerFeeds {
  readonly #options: PeerFeedOptions
  readonly #streams = new Map<string, Cancel>()
  readonly #known = new Set<string>()
  #reader: FeedReader | undefined
  #stopMembers = (): void => {}

  constructor(options: PeerFeedOptions) {
    this.#options = options
  }

  /** Those that live and have told nothing. */
  get away(): readonly string[] {
    return this.#others.filter(({ name }) => !this.#known.has(name)).map(({ name }) => name)
  }

  start(reader: FeedReader): void {
    if (this.#reader) return
    this.#reader = reader
    this.#stopMembers = this.#options.fleet.onMembers(() => this.#follow())
    this.#follow()
  }

  stop(): void {
    this.#stopMembers()
    this.#reader = undefined
    for (const stream of [...this.#streams.values()]) stream.abort(new Error('Nobody reads any more.'))
    this.#streams.clear()
    this.#known.clear()
  }

  get #others(): readonly Member[] {
    return this.#options.fleet.members().filter(({ isUs }) => !isUs)
  }

  #follow(): void {
    const living = new Map(this.#others.map((member) => [keyOf(member), member]))
    for (const [key, stream] of [...this.#streams]) {
      if (living.has(key)) continue
      this.#streams.delete(key)
      stream.abort(new Error('The replica has left.'))
      this.#lost(key.split('\0', 1)[0]!)
    }
    for (const [key, member] of living) if (!this.#streams.has(key) && member.address) void this.#read(key, member)
  }

  async #read(key: string, member: Member): Promise<void> {
    const stop = new Cancel()
    this.#streams.set(key, stop)
    while (!stop.aborted) {
      await this.#readOnce(member, stop).catch(() => {})
      // Whoever stopped it has said so; by then others may read.
      if (stop.aborted) return
      this.#lost(member.name)
      await this.#pause(stop)
    }
  }

  #lost(replica: string): void {
    if (this.#known.delete(replica)) this.#reader?.away(replica)
  }

  async #readOnce(member: Member, stop: Cancel): Promise<void> {
    const { others, path } = this.#options
    const { status, body } = await others.open(member, path, watcher, stop)
    const parser = createSseParser({
      maxEventBytes: mostEventBytes,
      onEvent: ({ event, data }) => {
        if (stop.aborted) return
        this.#known.add(member.name)
        this.#reader?.told(member.name, event, JSON.parse(data.toString()))
      },
    })
    for await (const chunk of body) if (status === 200) parser.push(chunk)
  }

  #pause(stop: Cancel): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(againMs, resolve)
      stop.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }
}

/** Another process of the same name is another replica. */
const keyOf = ({ name, instance }: Member): string => `${name}\0${instance}`
