import type { Heard, ReplicaSeen } from '../storage/commons.js'
import type { Member } from './fleet.js'
import { rendezvous } from './place.js'

/** Who lives, as far as the store told us. While it does not answer, whoever lived then is taken to live still. */
export class Members {
  readonly #us: () => Member
  readonly #leaseMs: number
  readonly #listeners = new Set<() => void>()
  /** Everybody of whom the store still knows, the silent too. */
  #heard: ReadonlyMap<string, Member> = new Map()
  #living: readonly Member[]

  constructor(us: () => Member, leaseMs: number) {
    this.#us = us
    this.#leaseMs = leaseMs
    this.#living = [us()]
  }

  get living(): readonly Member[] {
    return this.#living
  }

  /** Of everybody heard of lately, since who is silent may still answer us. */
  find(name: string): Member | undefined {
    return this.#heard.get(name)
  }

  /** Who may be given something to do: those whom others can reach, and who stay. Ourselves where there is nobody. */
  placeOf(thing: string): Member {
    const able = this.#living.filter(isAble)
    const name = rendezvous(
      thing,
      able.map((member) => member.name),
    )
    return able.find((member) => member.name === name) ?? this.#us()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** `isSteady`: the silence of others is their own, and not that of the store. */
  heard({ replicas }: Pick<Heard, 'replicas'>, isSteady: boolean): void {
    const us = this.#us()
    const seen = replicas.filter(({ name }) => name !== us.name).map(toMember)
    const before = new Set(this.#living.map(({ name }) => name))
    const lives = ({ name, silentMs }: Member): boolean => silentMs <= this.#leaseMs || (!isSteady && before.has(name))
    const living = [us, ...seen.filter(lives)].sort((one, other) => (one.name < other.name ? -1 : 1))
    this.#heard = new Map([us, ...seen].map((member) => [member.name, member]))
    const isNews = factsOf(living) !== factsOf(this.#living)
    this.#living = living
    if (isNews) for (const listener of [...this.#listeners]) listener()
  }

  /** What we say of ourselves has changed. */
  changed(): void {
    const us = this.#us()
    this.#living = this.#living.map((member) => (member.isUs ? us : member))
    for (const listener of [...this.#listeners]) listener()
  }
}

const isAble = ({ address, state }: Member): boolean => address !== undefined && state !== 'draining'

const toMember = (seen: ReplicaSeen): Member => ({ ...seen, isUs: false })

const factsOf = (members: readonly Member[]): string =>
  JSON.stringify(
    members.map(({ name, address, state, version, instance }) => [name, address, state, version, instance]),
  )
