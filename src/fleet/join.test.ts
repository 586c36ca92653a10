import { describe, expect, it } from 'vitest'
import { LeaseWorld } from '../../test/helpers/lease-world.js'
import { settle } from '../../test/helpers/virtual-clock.js'
import { createSeals } from '../model/seal.js'
import { joinFleet } from './join.js'

const three = async (options: Parameters<LeaseWorld['join']>[1] = {}) => {
  const world = new LeaseWorld()
  for (const name of ['a', 'b', 'c']) await world.join(name, options)
  await world.clock.advance(4000)
  return { world, holder: world.answering[0]!, others: world.replicas.filter((one) => one !== world.answering[0]) }
}

describe('a thing that runs once', () => {
  it('runs at one replica, and the others know where', async () => {
    const { world, holder, others } = await three()
    expect(world.running).toEqual([holder])
    for (const { holding } of others)
      expect(holding!.place).toMatchObject({ at: 'elsewhere', epoch: 1, member: { name: holder.name } })
    expect(others[0]!.fleet!.members().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('is taken by another when its holder is killed, within a lease and 0.6 s', async () => {
    const { world, holder } = await three()
    holder.kill()
    await world.clock.advance(world.leaseMs + 600)
    expect(world.answering).toHaveLength(1)
    expect(world.answering[0]!.holding!.place).toMatchObject({ at: 'here', epoch: 2 })
  })

  it('is given back when its holder is drained, and taken within 100 ms', async () => {
    const { world, holder, others } = await three()
    const drained = holder.fleet!.drain()
    await world.clock.advance(100)
    await drained
    expect(world.answering).toHaveLength(1)
    expect(others).toContain(world.answering[0])
    await world.clock.advance(100)
    expect(holder.holding!.place).toMatchObject({ at: 'elsewhere', epoch: 2 })
  })

  it('is not given back before what runs has ended', async () => {
    const { world, holder } = await three({ endMs: 2000 })
    void holder.fleet!.drain()
    await world.clock.advance(1900)
    expect([world.running, world.answering]).toEqual([[holder], []])
    await world.clock.advance(200)
    expect(world.running).toHaveLength(1)
    expect(world.running).not.toContain(holder)
  })

  it('stays where it is when the store goes away for any time and comes back', async () => {
    for (const ms of [100, 2900, 3100, 20_000, 60_000]) {
      const { world, holder } = await three()
      world.isStoreUp = false
      await world.clock.advance(ms)
      expect(world.answering).toEqual([holder])
      world.isStoreUp = true
      await world.clock.advance(10_000)
      expect(world.answering).toEqual([holder])
      expect(holder.holding!.place).toMatchObject({ epoch: 1 })
    }
  })

  it('stops before a lease is over where that is wanted, and begins again when the store is back', async () => {
    const { world, holder } = await three({ whenCutOff: 'stop', endMs: 500 })
    world.isStoreUp = false
    await world.clock.advance(world.leaseMs * 0.7)
    expect([world.answering, holder.isRunning]).toEqual([[], true])
    await world.clock.advance(501)
    expect(world.running).toEqual([])
    world.isStoreUp = true
    await world.clock.advance(world.leaseMs * 2)
    expect(world.running).toHaveLength(1)
  })

  it('goes on at a holder that is cut off, until that reads a higher epoch', async () => {
    const { world, holder } = await three({ whenCutOff: 'keep' })
    holder.isCut = true
    await world.clock.advance(world.leaseMs * 2)
    expect(world.answering).toHaveLength(2)
    holder.isCut = false
    await world.clock.advance(world.leaseMs / 3 + linkBackMs)
    expect(world.answering).toHaveLength(1)
    expect(holder.isRunning).toBe(false)
  })

  it('is not answered for by a holder that was stopped and woke, before it asked the store', async () => {
    const { world, holder } = await three()
    holder.stop()
    await world.clock.advance(10_000)
    expect(world.answering).toHaveLength(1)
    holder.wake()
    expect(holder.holding!.place.at).not.toBe('here')
    await world.clock.advance(2000)
    expect(holder.holding!.place).toMatchObject({ at: 'elsewhere', epoch: 2 })
    expect(holder.isRunning).toBe(false)
  })

  it('goes on at a holder that was stopped while the store was away, once it knows that nobody answers', async () => {
    const { world, holder } = await three()
    world.isStoreUp = false
    holder.stop()
    await world.clock.advance(10_000)
    holder.wake()
    expect(holder.holding!.place.at).toBe('nowhere')
    await world.clock.advance(4000)
    expect(holder.holding!.place.at).toBe('here')
  })

  it('goes to another when an operator takes it away', async () => {
    const { world, holder } = await three({ endMs: 300 })
    world.release('x')
    const most: number[] = []
    for (let step = 0; step < 60; step++) {
      await world.clock.advance(100)
      most.push(world.running.length)
    }
    expect(Math.max(...most)).toBe(1)
    expect(world.answering).toHaveLength(1)
    expect(world.answering).not.toContain(holder)
  })

  it('is known from a peer to be elsewhere, whatever the store said before', async () => {
    const { world, holder, others } = await three()
    for (const one of [holder, others[0]!]) one.isCut = true
    await world.clock.advance(1)
    holder.holding!.learn(others[1]!.name, 7)
    others[0]!.holding!.learn(others[1]!.name, 7)
    for (const one of [holder, others[0]!])
      expect(one.holding!.place).toMatchObject({ at: 'elsewhere', epoch: 7, member: { name: others[1]!.name } })
    others[0]!.holding!.learn(holder.name, 6)
    expect(others[0]!.holding!.place).toMatchObject({ epoch: 7 })
  })

  it('is never moved because somebody joins', async () => {
    const { world, holder } = await three()
    for (const name of ['d', 'e', 'f', 'g']) await world.join(name)
    await world.clock.advance(10_000)
    expect(world.answering).toEqual([holder])
  })
})

const linkBackMs = 1000

describe('a replica', () => {
  const join = (world: LeaseWorld, replica: string, secrets: readonly string[]) =>
    joinFleet({
      commons: { leases: world.table, follow: () => () => {}, onUp: () => () => {} },
      clock: world.clock,
      logger: { log: () => {}, child: () => ({}) } as never,
      seals: createSeals('a secret'),
      ...{ secrets, replica, version: '1', leaseMs: world.leaseMs },
    })

  it('is refused under a name that lives', async () => {
    const world = new LeaseWorld()
    await world.join('a')
    const second = join(world, 'a', ['one'])
    second.catch(() => {})
    await world.clock.advance(world.leaseMs * 3)
    await expect(second).rejects.toMatchObject({ code: 'FLEET_NAME_TAKEN' })
  })

  it('takes over the name of a process that ended without a word', async () => {
    const world = new LeaseWorld()
    const first = await world.join('a')
    first.kill()
    const second = join(world, 'a', ['one'])
    await world.clock.advance(world.leaseMs * 1.5)
    await expect(second).resolves.toMatchObject({ replica: 'a' })
  })

  it('is refused with a secret that has nothing to do with those of the others', async () => {
    const world = new LeaseWorld()
    await join(world, 'a', ['one', 'next'])
    await expect(join(world, 'b', ['two'])).rejects.toMatchObject({ code: 'FLEET_SECRET_DIFFERS' })
    await expect(join(world, 'c', ['next'])).resolves.toMatchObject({ replica: 'c' })
    await expect(join(world, 'd', ['next', 'one'])).resolves.toMatchObject({ replica: 'd' })
    await settle()
  })

  it('dates by the clock of the store', async () => {
    const world = new LeaseWorld()
    const replica = await world.join('b')
    await world.clock.advance(5000.4)
    expect(Math.abs(replica.fleet!.now() - world.clock.wall())).toBeLessThan(50)
    expect(replica.fleet!.now() % 1).toBe(0)
  })

  it('leaves a place for nobody but those who can be reached and stay', async () => {
    const { world, holder } = await three()
    const things = Array.from({ length: 60 }, (_, n) => `thing ${n}`)
    const placesAt = () => world.replicas.map(({ fleet }) => things.map((thing) => fleet!.placeOf(thing).name).join())
    expect(new Set(placesAt()).size).toBe(1)
    expect(placesAt()[0]).toContain(holder.name)
    void holder.fleet!.drain()
    await world.clock.advance(2000)
    expect(new Set(placesAt()).size).toBe(1)
    expect(placesAt()[0]).not.toContain(holder.name)
  })
})
