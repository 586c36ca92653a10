import type { XiaozhiCarrier } from '../faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../faces/mcp/xiaozhi/endpoint.js'
import type { EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
import type { Fleet, Holding } from '../fleet/fleet.js'
import { deviceOf } from './xiaozhi-device.js'

interface Leased {
  readonly settings: EndpointSettings
  readonly holding: Holding
  readonly leave: () => void
}

/**
 * Links to voice devices in a fleet: a relay throws out whoever came before, so one replica dials each. Who loses the store
 * hangs up in time and does not dial again before it has the lease anew.
 */
export class LeasedLinks implements XiaozhiCarrier {
  readonly #fleet: Pick<Fleet, 'hold'>
  readonly #dialling: XiaozhiCarrier
  /** Never started: they only say how those stand that another replica dials. */
  readonly #resting: XiaozhiCarrier
  readonly #leased = new Map<string, Leased>()
  #wanted: readonly EndpointSettings[]
  #isStarted = false
  #applying: Promise<void> = Promise.resolve()

  constructor(
    fleet: Pick<Fleet, 'hold'>,
    make: (endpoints: readonly EndpointSettings[]) => XiaozhiCarrier,
    endpoints: readonly EndpointSettings[],
  ) {
    this.#fleet = fleet
    this.#wanted = endpoints
    this.#dialling = make([])
    this.#resting = make(endpoints)
  }

  start(): void {
    this.#isStarted = true
    this.#dialling.start()
    this.#holdAll()
  }

  async update(endpoints: readonly EndpointSettings[]): Promise<void> {
    this.#wanted = endpoints
    if (this.#isStarted) this.#holdAll()
    await this.#apply()
  }

  status(): readonly EndpointStatus[] {
    return [...this.#dialling.status(), ...this.#resting.status()]
  }

  onStatus(listener: (status: EndpointStatus) => void): () => void {
    return this.#dialling.onStatus(listener)
  }

  async close(): Promise<void> {
    this.#isStarted = false
    for (const { leave } of this.#leased.values()) leave()
    await this.#applying
    await Promise.all([this.#dialling.close(), this.#resting.close()])
    await Promise.all([...this.#leased.values()].map(({ holding }) => holding.release()))
    this.#leased.clear()
  }

  #holdAll(): void {
    for (const settings of this.#wanted) {
      const name = leaseOf(settings)
      const known = this.#leased.get(name)
      if (known) {
        this.#leased.set(name, { ...known, settings })
        continue
      }
      const holding = this.#fleet.hold(name, { whenCutOff: 'stop' })
      this.#leased.set(name, { settings, holding, leave: holding.onPlace(() => void this.#apply()) })
    }
    void this.#apply()
  }

  /** One after the other: who was told to hang up has hung up before it says so. */
  #apply(): Promise<void> {
    this.#applying = this.#applying.then(() => this.#follow())
    return this.#applying
  }

  async #follow(): Promise<void> {
    const isWanted = (name: string): boolean => this.#wanted.some((settings) => leaseOf(settings) === name)
    const ours = new Set(
      [...this.#leased].flatMap(([name, { holding }]) =>
        isWanted(name) && holding.place.at === 'here' ? [leaseOf(this.#leased.get(name)!.settings)] : [],
      ),
    )
    await this.#dialling.update(this.#wanted.filter((settings) => ours.has(leaseOf(settings))))
    await this.#resting.update(this.#wanted.filter((settings) => !ours.has(leaseOf(settings))))
    for (const [name, { holding, leave }] of [...this.#leased]) {
      if (!ours.has(name)) holding.ended()
      if (isWanted(name)) continue
      leave()
      this.#leased.delete(name)
      await holding.release()
    }
  }
}

const leaseOf = (settings: EndpointSettings): string => `xiaozhi:${deviceOf(settings)}`
