import { GatewayError } from '../../src/errors.js'
import type { Fleet, Holding, HoldOptions } from '../../src/fleet/fleet.js'
import { joinFleet } from '../../src/fleet/join.js'
import type { Clock } from '../../src/model/clock.js'
import { createSeals } from '../../src/model/seal.js'
import type { Commons, Heard, LeaseRow, LeaseTable, Replica, SignOfLife } from '../../src/storage/commons.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { VirtualClock } from './virtual-clock.js'

/**
 * Replicas on a store that can be away, over links that can be cut, in processes that can be stopped and killed; all on one
 * clock that stands still until told to move. The clock of each replica is off by an hour or two: nobody may notice.
 */
export class LeaseWorld {
  readonly clock = new VirtualClock()
  readonly leaseMs = 3000
  readonly replicas: SimulatedReplica[] = []
  isStoreUp = true
  readonly #rows = new Map<string, { holder: string | undefined; epoch: number; until: number }>()
  readonly #seen = new Map<string, { replica: Replica; at: number }>()

  async join(name: string, options: HoldOptions & { endMs?: number; lateMs?: () => number } = {}) {
    const replica = new SimulatedReplica(this, name, options)
    this.replicas.push(replica)
    await replica.begin()
    return replica
  }

  get living(): SimulatedReplica[] {
    return this.replicas.filter(({ isDead }) => !isDead)
  }

  /** Those in whose process the thing runs that should run once, whoever answers for it. */
  get running(): SimulatedReplica[] {
    return this.living.filter(({ isRunning }) => isRunning)
  }

  /** Those who would answer for it now. */
  get answering(): SimulatedReplica[] {
    return this.living.filter((replica) => !replica.isStopped && replica.holding?.place.at === 'here')
  }

  announce(): void {
    for (const replica of this.living) replica.signalled()
  }

  release(name: string): void {
    const row = this.#rows.get(name)
    if (!row) return
    row.holder = undefined
    row.epoch += 1
    this.announce()
  }

  get table(): LeaseTable {
    const now = () => this.clock.now()
    const heard = (leaseMs: number): Heard => ({
      replicas: [...this.#seen.values()]
        .filter(({ at }) => now() - at <= leaseMs * 10)
        .map(({ replica, at }) => ({ ...replica, silentMs: now() - at })),
      leases: [...this.#rows].map(([name, row]): LeaseRow => {
        return { name, holder: row.holder, epoch: row.epoch, isFree: row.until < now() }
      }),
      storeMs: this.clock.wall(),
    })
    return {
      beat: async ({ replica, held, leaseMs }: SignOfLife) => {
        const known = this.#seen.get(replica.name)
        if (known && known.replica.instance !== replica.instance && now() - known.at <= leaseMs)
          throw new GatewayError('FLEET_NAME_TAKEN', 'taken')
        this.#seen.set(replica.name, { replica, at: now() })
        for (const { name, epoch } of held) {
          const row = this.#rows.get(name)
          if (row?.holder === replica.name && row.epoch === epoch) row.until = now() + leaseMs
        }
        return heard(leaseMs)
      },
      read: async (leaseMs) => heard(leaseMs),
      take: async (name, holder, leaseMs) => {
        const row = this.#rows.get(name) ?? { holder: undefined, epoch: 0, until: Number.NEGATIVE_INFINITY }
        if (row.until >= now()) return undefined
        this.#rows.set(name, { holder, epoch: row.epoch + 1, until: now() + leaseMs })
        this.announce()
        return row.epoch + 1
      },
      giveBack: async ({ name, epoch }, holder) => {
        const row = this.#rows.get(name)
        if (row?.holder !== holder || row.epoch !== epoch) return
        Object.assign(row, { holder: undefined, until: Number.NEGATIVE_INFINITY })
        this.announce()
      },
      release: async () => true,
      leave: async ({ name, instance }) => {
        if (this.#seen.get(name)?.replica.instance === instance) this.#seen.delete(name)
      },
    }
  }
}

const linkPatienceMs = 1000

export class SimulatedReplica {
  readonly name: string
  readonly #world: LeaseWorld
  readonly #options: HoldOptions & { endMs?: number; lateMs?: () => number }
  readonly #waiting: (() => void)[] = []
  #signal = (): void => {}
  fleet: Fleet | undefined
  holding: Holding | undefined
  isRunning = false
  isDead = false
  /** By SIGSTOP: nothing of it runs, and what comes for it waits. */
  isStopped = false
  isCut = false
  /** When it last could not reach the store, by the clock of the world. */
  lastCutAt = Number.NEGATIVE_INFINITY

  constructor(world: LeaseWorld, name: string, options: HoldOptions & { endMs?: number; lateMs?: () => number }) {
    this.name = name
    this.#world = world
    this.#options = options
  }

  async begin(): Promise<void> {
    const joining = joinFleet({
      commons: this.#commons(),
      clock: this.#clock(),
      logger: silentLogger,
      seals: createSeals('a secret of the whole simulated fleet'),
      secrets: ['one'],
      replica: this.name,
      version: '1',
      leaseMs: this.#world.leaseMs,
    })
    let joined: Fleet | undefined
    void joining.then((fleet) => {
      joined = fleet
    })
    for (let turns = 0; joined === undefined && turns < 500; turns++) await this.#world.clock.advance(20)
    this.fleet = joined
    this.fleet?.listenAt(`http://${this.name}:8000`)
    this.holding = this.fleet?.hold('x', this.#options)
    this.#follow()
  }

  stop(): void {
    this.isStopped = true
  }

  wake(): void {
    this.isStopped = false
    // Requests that came meanwhile are found before any timer runs.
    void this.holding?.place
    for (const task of this.#waiting.splice(0)) task()
  }

  kill(): void {
    this.isDead = true
    this.isRunning = false
  }

  signalled(): void {
    this.#later(1, () => this.#canReach && this.#signal())
  }

  get #canReach(): boolean {
    const can = this.#world.isStoreUp && !this.isCut
    if (!can) this.lastCutAt = this.#world.clock.now()
    return can
  }

  #follow(): void {
    const { holding } = this
    const look = (): void => {
      if (holding?.place.at === 'here') this.isRunning = true
      else if (this.isRunning)
        this.#later(this.#options.endMs ?? 0, () => {
          this.isRunning = false
          holding?.ended()
        })
    }
    holding?.onPlace(look)
    look()
  }

  /** Runs it in this process: never once it is dead, not before it is woken. */
  #run(task: () => void): void {
    if (this.isDead) return
    if (this.isStopped) this.#waiting.push(() => this.#run(task))
    else task()
  }

  #later(ms: number, task: () => void): () => void {
    return this.#world.clock.after(ms, () => this.#run(task))
  }

  #clock(): Clock {
    const { clock } = this.#world
    const off = (this.name.charCodeAt(0) % 5) * 3_600_000
    return {
      now: () => clock.now() + off,
      wall: () => clock.wall() - off,
      after: (ms, task) => this.#later(ms, task),
    }
  }

  #commons(): Pick<Commons, 'leases' | 'follow' | 'onUp'> {
    const { table } = this.#world
    return {
      leases: {
        beat: (sign) => this.#overLink(() => table.beat(sign)),
        read: (leaseMs) => this.#overLink(() => table.read(leaseMs)),
        take: (...args) => this.#overLink(() => table.take(...args)),
        giveBack: (...args) => this.#overLink(() => table.giveBack(...args)),
        release: (name) => this.#overLink(() => table.release(name)),
        leave: (replica) => this.#overLink(() => table.leave(replica)),
      },
      follow: (_kind, listener) => {
        this.#signal = listener
        return () => {}
      },
      onUp: () => () => {},
    }
  }

  /** There and back take a while each; a question or its answer may be lost, and nobody knows which it was. */
  #overLink<T>(ask: () => Promise<T>): Promise<T> {
    const { clock } = this.#world
    const lateMs = this.#options.lateMs ?? (() => 2)
    return new Promise((resolve, reject) => {
      const fail = (): void => void this.#later(linkPatienceMs, () => reject(new Error('no answer')))
      clock.after(lateMs(), () => {
        if (this.isDead) return
        if (!this.#canReach) return fail()
        const back = (run: () => void): void =>
          void clock.after(lateMs(), () => (this.#canReach ? this.#run(run) : fail()))
        ask().then(
          (answer) => back(() => resolve(answer)),
          (error: unknown) => back(() => reject(error)),
        )
      })
    })
  }
}
