import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { LeaseRow, LeaseTable } from '../storage/commons.js'
import type { Logger } from '../telemetry/logger.js'
import type { Holding, HoldOptions, Member, Place } from './fleet.js'

/** What one lease needs to know of the room it is in. */
export interface LeaseRoom {
  readonly table: Pick<LeaseTable, 'take' | 'giveBack'>
  readonly clock: Clock
  readonly logger: Logger
  readonly replica: string
  readonly leaseMs: number
  /** The store has answered us without a break for one lease. */
  isSteady(): boolean
  /** We did not stand still since the store was last asked. */
  isSure(): boolean
  /** We may begin something: not draining, and the others know where to reach us. */
  mayTake(): boolean
  /** Whether of all who could we are the one to take it at once. */
  isFirst(name: string): boolean
  find(replica: string): Member | undefined
  /** Look at the store earlier than usual. */
  lookSoon(delayMs?: number): void
  /** It is held for nobody any more. */
  forget(lease: FleetLease): void
}

type State =
  | { readonly is: 'away' }
  | { readonly is: 'taking' }
  /** `provenAt` by our own clock: the store renewed it later than that. `since`: answers to earlier questions say nothing of it. */
  | { readonly is: 'here'; readonly epoch: number; readonly since: number; provenAt: number }
  /** Somebody was told to end what runs here, and has not said yet that it did. */
  | { readonly is: 'stopping'; readonly epoch: number; readonly isOurs: boolean; readonly inPeace: boolean }

const away: State = Object.freeze({ is: 'away' })
const nowhere: Place = Object.freeze({ at: 'nowhere' })
const endingInPeace: Place = Object.freeze({ at: 'nowhere', mayFinish: true })
// Those who are not the first to take something leave it to the first for so long.
const politeMs = 250
/** Begun to end at this part of a lease: what runs has the rest of it to be gone before another may begin. */
const stopAfter = 0.7

/** One thing that runs once, as one replica sees it. */
export class FleetLease implements Holding {
  readonly name: string
  readonly #room: LeaseRoom
  readonly #whenCutOff: 'keep' | 'stop'
  readonly #listeners = new Set<(place: Place) => void>()
  #state: State = away
  #row: LeaseRow | undefined
  /** Rows were read at least once: that there is none means that nobody ever held it. */
  #isKnown = false
  /** Somebody was told `nowhere` because we were in doubt, and waits for what comes of it. */
  #wasDoubted = false
  /** By a peer, not by the store. */
  #isLearnt = false
  #told: Place = nowhere
  #isWanted = true
  #notBefore = 0
  #cancelPolite: (() => void) | undefined
  #cancelCutOff: (() => void) | undefined
  readonly #atEnd: (() => void)[] = []

  constructor(name: string, room: LeaseRoom, { whenCutOff = 'keep' }: HoldOptions) {
    this.name = name
    this.#room = room
    this.#whenCutOff = whenCutOff
  }

  get place(): Place {
    this.#checkCutOff()
    if (this.#isInDoubt) {
      this.#wasDoubted = true
      return nowhere
    }
    const place = this.#placeNow()
    return samePlace(place, this.#told) ? this.#told : place
  }

  onPlace(listener: (place: Place) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** What we have to renew. */
  get held(): Pick<LeaseRow, 'name' | 'epoch'> | undefined {
    return this.#state.is === 'here' || (this.#state.is === 'stopping' && this.#state.isOurs)
      ? { name: this.name, epoch: this.#state.epoch }
      : undefined
  }

  get holder(): string | undefined {
    return this.#row?.isFree ? undefined : this.#row?.holder
  }

  /** How it stood when the store answered a question that was asked at `askedAt`. */
  heard(row: LeaseRow | undefined, askedAt: number, wasRenewed: boolean): void {
    const state = this.#state
    if (state.is === 'taking') return
    if (state.is === 'here') {
      const isOurs = row?.holder === this.#room.replica && row.epoch === state.epoch
      // It was asked before we had it.
      if (!isOurs && askedAt < state.since && (row?.epoch ?? 0) <= state.epoch) return
      this.#know(row)
      if (!isOurs) {
        // An operator took it away: somebody else shall have it.
        if (row?.holder === undefined) this.#notBefore = this.#room.clock.now() + this.#room.leaseMs
        return this.#stop(false)
      }
      if (wasRenewed) state.provenAt = Math.max(state.provenAt, askedAt)
      this.#watchCutOff()
      return this.tell()
    }
    // What a peer told us may be newer than what the store said when it was asked.
    if (this.#row && (row?.epoch ?? 0) < this.#row.epoch && this.#isLearnt) return
    this.#know(row)
    if (state.is === 'away') this.consider()
    this.tell()
  }

  /** Takes it if it is free and ours to take. */
  consider(): void {
    const { clock, replica } = this.#room
    if (this.#state.is !== 'away' || !this.#isWanted || !this.#isKnown || !this.#room.mayTake()) return
    const row = this.#row
    if (row?.holder === replica && !row.isFree) {
      // An answer of the store was lost, or an earlier process of our name had it.
      void this.#giveBack(row.epoch)
      return
    }
    if (row && !(row.isFree && (row.holder === undefined || this.#room.isSteady()))) return this.#beNoLongerPolite()
    const waitMs = Math.max(this.#notBefore - clock.now(), this.#room.isFirst(this.name) ? 0 : politeMs)
    if (waitMs <= 0) return void this.#take()
    this.#cancelPolite ??= clock.after(waitMs, () => {
      this.#cancelPolite = undefined
      if (this.#state.is === 'away' && this.#isWanted && this.#room.mayTake()) void this.#take()
    })
  }

  learn(holder: string, epoch: number): void {
    if (epoch <= (this.#state.is === 'here' ? this.#state.epoch : (this.#row?.epoch ?? 0))) return
    this.#know({ name: this.name, holder, epoch, isFree: false })
    this.#isLearnt = true
    if (this.#state.is === 'here') return this.#stop(false)
    this.tell()
  }

  ended(): void {
    const state = this.#state
    if (state.is !== 'stopping') return
    this.#state = away
    const givenBack = state.isOurs ? this.#giveBack(state.epoch) : Promise.resolve()
    for (const resolve of this.#atEnd.splice(0)) void givenBack.then(resolve)
    if (!state.isOurs) this.#room.lookSoon()
    this.tell()
  }

  async release(): Promise<void> {
    this.#isWanted = false
    this.#beNoLongerPolite()
    this.#cancelCutOff?.()
    const { held } = this
    this.#state = away
    this.#room.forget(this)
    if (held) await this.#giveBack(held.epoch)
    for (const resolve of this.#atEnd.splice(0)) resolve()
  }

  /** Gives it up as soon as what runs has ended; resolves then. */
  stop(): Promise<void> {
    if (this.#state.is === 'here') this.#stop(true, true)
    return this.#state.is === 'stopping' ? new Promise((resolve) => this.#atEnd.push(resolve)) : Promise.resolve()
  }

  /** Another process has our name, and may have all that was ours. */
  lose(): void {
    if (this.#state.is === 'here') this.#stop(false)
  }

  /** Says the place where it is another than was said last. A doubt of ours is not told: what runs goes on until it is over. */
  tell(): void {
    this.#checkCutOff()
    if (this.#isInDoubt) return
    const place = this.#placeNow()
    if (samePlace(place, this.#told) && !this.#wasDoubted) return
    this.#wasDoubted = false
    this.#told = place
    for (const listener of [...this.#listeners]) listener(place)
  }

  async #take(): Promise<void> {
    const { table, replica, leaseMs, clock, logger } = this.#room
    this.#beNoLongerPolite()
    this.#state = { is: 'taking' }
    const askedAt = clock.now()
    try {
      const epoch = await table.take(this.name, replica, leaseMs)
      this.#state = away
      if (epoch === undefined) return this.#room.lookSoon()
      if (!this.#isWanted || !this.#room.mayTake()) return await this.#giveBack(epoch)
      this.#state = { is: 'here', epoch, since: clock.now(), provenAt: askedAt }
      this.#know({ name: this.name, holder: replica, epoch, isFree: false })
      logger.log('info', `Held here: ${this.name}`, { epoch })
      this.#watchCutOff()
      this.tell()
      // What was said of us while the store was asked did not renew it.
      this.#room.lookSoon()
    } catch (error) {
      // It may be ours all the same; the next look tells.
      this.#state = away
      logger.log('debug', `Not taken: ${this.name}: ${messageOf(error)}`)
    }
  }

  async #giveBack(epoch: number): Promise<void> {
    try {
      await this.#room.table.giveBack({ name: this.name, epoch }, this.#room.replica)
      if (this.#row?.holder === this.#room.replica && this.#row.epoch === epoch)
        this.#know({ name: this.name, holder: undefined, epoch, isFree: true })
    } catch {
      // Asked again when the store next says that it is ours; or it runs out.
    }
    if (this.#isWanted) this.#room.lookSoon()
  }

  #stop(isOurs: boolean, inPeace = false): void {
    if (this.#state.is !== 'here') return
    const { epoch } = this.#state
    this.#cancelCutOff?.()
    this.#state = { is: 'stopping', epoch, isOurs, inPeace }
    this.#room.logger.log('info', `No longer held here: ${this.name}`, { epoch })
    // It was over before anybody heard of it: nobody runs anything that they could say has ended.
    if (this.#told.at !== 'here') return this.ended()
    this.tell()
  }

  #know(row: LeaseRow | undefined): void {
    this.#row = row
    this.#isKnown = true
    this.#isLearnt = false
  }

  #placeNow(): Place {
    const state = this.#state
    if (state.is === 'here') return { at: 'here', epoch: state.epoch }
    if (state.is === 'stopping' && state.inPeace) return endingInPeace
    const row = this.#row
    if (row?.holder === undefined || row.holder === this.#room.replica) return nowhere
    // Until it is sure that the others had the store as well, who held it has it still.
    if (row.isFree && this.#room.isSteady()) return nowhere
    const member = this.#room.find(row.holder)
    return member?.address === undefined ? nowhere : { at: 'elsewhere', member, epoch: row.epoch }
  }

  /** It was ours, and we stood still since. */
  get #isInDoubt(): boolean {
    return this.#state.is === 'here' && !this.#room.isSure()
  }

  /** A timer may come late, above all when we stood still: who asks is told in time. */
  #checkCutOff(): void {
    if (this.#whenCutOff === 'stop' && this.#state.is === 'here' && this.#leftMs(this.#state.provenAt) <= 0)
      this.#stop(true)
  }

  #watchCutOff(): void {
    if (this.#whenCutOff !== 'stop' || this.#state.is !== 'here') return
    this.#cancelCutOff?.()
    this.#cancelCutOff = this.#room.clock.after(Math.max(1, this.#leftMs(this.#state.provenAt)), () => {
      this.tell()
      this.#watchCutOff()
    })
  }

  #leftMs(provenAt: number): number {
    return provenAt + this.#room.leaseMs * stopAfter - this.#room.clock.now()
  }

  #beNoLongerPolite(): void {
    this.#cancelPolite?.()
    this.#cancelPolite = undefined
  }
}

const samePlace = (one: Place, other: Place): boolean => {
  if (one.at !== other.at) return false
  if (one.at === 'nowhere' && other.at === 'nowhere') return one.mayFinish === other.mayFinish
  if (one.at === 'here' && other.at === 'here') return one.epoch === other.epoch
  return (
    one.at !== 'elsewhere' ||
    other.at !== 'elsewhere' ||
    (one.epoch === other.epoch &&
      one.member.name === other.member.name &&
      one.member.address === other.member.address &&
      one.member.instance === other.member.instance)
  )
}
