import { randomBytes } from 'node:crypto'
import { GatewayError, messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Seals } from '../model/seal.js'
import type { Commons, Heard, LeaseRow, Replica, ReplicaState, SignOfLife } from '../storage/commons.js'
import type { Logger } from '../telemetry/logger.js'
import { Beats, isNameTaken } from './beats.js'
import type { Fleet, Holding, HoldOptions, LeaseStanding, Member, Place } from './fleet.js'
import { FleetLease, type LeaseRoom } from './lease.js'
import { Members } from './members.js'
import { openPeers } from './peer-client.js'
import type { OpenPeers } from './peers.js'

export interface JoinOptions {
  readonly commons: Pick<Commons, 'leases' | 'follow' | 'onUp'>
  readonly clock: Clock
  readonly logger: Logger
  readonly seals: Seals
  /** Fingerprints of the secrets that our seals open, our own first. */
  readonly secrets: readonly string[]
  readonly replica: string
  readonly version: string
  readonly leaseMs: number
  /** Default: random. */
  readonly instance?: string | undefined
  /** What runs once: this one takes it before the others, or never does. Default: each takes what is placed with it. */
  readonly takes?: 'first' | 'never' | undefined
}

/** Becomes one of the replicas on this store. Rejects where the name or the secret does not fit; not where the store is away. */
export const joinFleet = async (options: JoinOptions): Promise<Fleet> => {
  const fleet = new JoinedFleet(options)
  try {
    await fleet.begin()
  } catch (error) {
    await fleet[Symbol.asyncDispose]()
    throw error
  }
  return fleet
}

// A child that does not end in this time is not waited for any longer: the lease runs out by itself.
const drainPatienceMs = 15_000
// The store may be away; then who was heard of last is all that is known.
const hearPatienceMs = 1000

class JoinedFleet implements Fleet {
  readonly isAlone = false
  readonly seals: Seals
  readonly peers: OpenPeers
  readonly #options: JoinOptions
  readonly #instance: string
  readonly #members: Members
  readonly #beats: Beats
  readonly #room: LeaseRoom
  readonly #leases = new Set<FleetLease>()
  readonly #stops: (() => void)[] = []
  #rows: readonly LeaseRow[] | undefined
  #rowsAskedAt = 0
  #address: string | undefined
  #state: ReplicaState = 'starting'
  /** What the others know of us, as far as the store answered. */
  #announced: Replica | undefined
  #store: { readonly ms: number; readonly at: number } | undefined
  #isTaken = false
  #refusal: unknown
  #hasBegun = false
  #closing: Promise<void> | undefined

  constructor(options: JoinOptions) {
    const { commons, clock, logger, replica, leaseMs, seals, instance } = options
    this.#options = options
    this.seals = seals
    this.#instance = instance ?? randomBytes(9).toString('base64url')
    this.#members = new Members(() => this.#us(), leaseMs)
    const asked = { seals, members: () => this.members(), now: () => this.now() }
    this.peers = openPeers(asked, clock, logger)
    this.#beats = new Beats({
      ...{ table: commons.leases, clock, leaseMs },
      sign: () => this.#sign(),
      onHeard: (heard, sign, askedAt) => this.#heard(heard, sign, askedAt),
      onMissed: (error) => this.#missed(error),
    })
    this.#room = {
      ...{ table: commons.leases, clock, logger, replica, leaseMs },
      isSteady: () => this.#beats.isSteady,
      isSure: () => this.#beats.isSure,
      mayTake: () => options.takes !== 'never' && this.#mayTake(),
      isFirst: (name) => options.takes === 'first' || this.#members.placeOf(name).isUs,
      find: (name) => this.#members.find(name),
      lookSoon: (delayMs) => this.#beats.soon(delayMs),
      forget: (lease) => this.#leases.delete(lease),
    }
  }

  #mayTake(): boolean {
    return this.#state === 'ready' && !this.#isTaken && this.#announced?.address === this.#address
  }

  get replica(): string {
    return this.#options.replica
  }

  /** A process of our name that ended without a word is still heard of for one lease; who starts anew waits for that. */
  async begin(): Promise<void> {
    const { clock, leaseMs, commons } = this.#options
    const until = clock.now() + leaseMs * 2
    await this.#beats.beat()
    while (this.#isTaken && clock.now() < until) {
      await new Promise<void>((resolve) => clock.after(leaseMs / 4, resolve, true))
      await this.#beats.beat()
    }
    if (this.#refusal) throw this.#refusal
    this.#hasBegun = true
    this.#stops.push(commons.follow('lease', () => this.#beats.soon()))
    this.#stops.push(commons.onUp((isUp) => isUp && this.#beats.soon()))
    this.#beats.start()
  }

  now(): number {
    const { clock } = this.#options
    // Whole, as every time that is written down: the clocks in between count parts of a millisecond.
    return this.#store === undefined ? clock.wall() : Math.floor(this.#store.ms + clock.now() - this.#store.at)
  }

  members(): readonly Member[] {
    return this.#members.living
  }

  onMembers(listener: () => void): () => void {
    return this.#members.onChange(listener)
  }

  async hear(): Promise<void> {
    let cancel = (): void => {}
    const late = new Promise<void>((resolve) => {
      cancel = this.#options.clock.after(hearPatienceMs, resolve, true)
    })
    await Promise.race([this.#beats.beat(), late])
    cancel()
  }

  hold(name: string, options: HoldOptions = {}): Holding {
    const lease = new FleetLease(name, this.#room, options)
    this.#leases.add(lease)
    if (this.#rows) lease.heard(this.#rowOf(name), this.#rowsAskedAt, false)
    return lease
  }

  look(name: string): Place {
    for (const lease of this.#leases) if (lease.name === name) return lease.place
    return { at: 'nowhere' }
  }

  leases(): readonly LeaseStanding[] {
    return (this.#rows ?? []).map(({ name, holder, epoch, isFree }) => ({ name, holder, epoch, isFree }))
  }

  placeOf(name: string): Member {
    return this.#members.placeOf(name)
  }

  listenAt(address: string): void {
    if (this.#state === 'draining') return
    this.#address = address
    this.#state = 'ready'
    this.#members.changed()
    void this.#beats.beat()
  }

  async drain(): Promise<void> {
    this.#state = 'draining'
    this.#members.changed()
    // Before anything is given back: nobody leaves it to us any more.
    await this.#beats.beat()
    const ended = Promise.all([...this.#leases].map((lease) => lease.stop()))
    let cancel = (): void => {}
    await Promise.race([
      ended,
      new Promise<void>((resolve) => {
        cancel = this.#options.clock.after(drainPatienceMs, resolve, true)
      }),
    ])
    cancel()
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#leave()
    return this.#closing
  }

  async #leave(): Promise<void> {
    const { commons, replica } = this.#options
    for (const stop of this.#stops) stop()
    this.#state = 'draining'
    await this.#beats.close()
    await this.peers[Symbol.asyncDispose]()
    await Promise.all([...this.#leases].map((lease) => lease.release()))
    // A store that is away forgets us by itself.
    await commons.leases.leave({ name: replica, instance: this.#instance }).catch(() => {})
    await this.peers[Symbol.asyncDispose]()
  }

  #us(): Member {
    return { ...this.#self(), silentMs: 0, isUs: true }
  }

  #self(): Replica {
    const { replica, version, secrets } = this.#options
    return {
      ...{ name: replica, version, secrets, address: this.#address },
      ...{ state: this.#state, instance: this.#instance },
    }
  }

  #sign(): SignOfLife {
    return {
      replica: this.#self(),
      held: [...this.#leases].flatMap((lease) => lease.held ?? []),
      leaseMs: this.#options.leaseMs,
    }
  }

  #heard(heard: Heard, { replica, held }: SignOfLife, askedAt: number): void {
    const { clock } = this.#options
    if (this.#isTaken) this.#refusal = undefined
    this.#isTaken = false
    if (!this.#announced) this.#refuse(this.#secretProblem(heard))
    this.#announced = replica
    this.#store = { ms: heard.storeMs, at: clock.now() }
    this.#rows = heard.leases
    this.#rowsAskedAt = askedAt
    this.#members.heard(heard, this.#beats.isSteady)
    for (const lease of [...this.#leases])
      lease.heard(
        this.#rowOf(lease.name),
        askedAt,
        held.some(({ name }) => name === lease.name),
      )
    this.#lookWhenDue(heard)
  }

  /** The lease of a silent replica runs out between two looks: the next one comes when it does. */
  #lookWhenDue({ replicas }: Heard): void {
    const { leaseMs } = this.#options
    const holders = new Set([...this.#leases].flatMap((lease) => lease.holder ?? []))
    for (const { name, silentMs } of replicas) {
      const dueMs = leaseMs - silentMs
      if (name !== this.replica && holders.has(name) && dueMs > 0 && dueMs < leaseMs / 3) this.#beats.soon(dueMs + 10)
    }
  }

  #missed(error: unknown): void {
    if (isNameTaken(error)) {
      // Told once: it is asked every second.
      if (!this.#isTaken) this.#refuse(error)
      this.#isTaken = true
      for (const lease of [...this.#leases]) lease.lose()
    }
    // Who stood still and cannot ask goes on, or stops by its own clock.
    for (const lease of [...this.#leases]) lease.tell()
  }

  /** The start is refused; once we run, all that can be done is to say so. */
  #refuse(problem: unknown): void {
    this.#refusal = problem
    if (problem && this.#hasBegun) this.#options.logger.log('error', messageOf(problem))
  }

  #rowOf(name: string): LeaseRow | undefined {
    return this.#rows?.find((row) => row.name === name)
  }

  /** While a secret is changed one opens what the other seals; where neither does, sessions would be refused at every other request. */
  #secretProblem({ replicas }: Heard): GatewayError | undefined {
    const { secrets, leaseMs } = this.#options
    const strange = replicas.find(
      (other) =>
        other.instance !== this.#instance &&
        other.silentMs <= leaseMs &&
        !(secrets.includes(other.secrets[0] ?? '') || other.secrets.includes(secrets[0] ?? '')),
    )
    return (
      strange &&
      new GatewayError(
        'FLEET_SECRET_DIFFERS',
        `This replica and '${strange.name}' do not open what the other seals: they have different secrets. Give all the same fleet.secret, or none. To change it, name the old one in fleet.previousSecrets.`,
        { details: { replica: strange.name } },
      )
    )
  }
}
