import { expect, it } from 'vitest'
import { describePostgres, newDatabase, ownPostgres } from '../helpers/postgres.js'
import type { LoadReport } from './load.mjs'
import { drained, frozen, killed, oneSession, startedAtOnce, storeAway, wrongClock } from './scenarios.mjs'

const minutes = 60_000
const codesOf = ({ failed }: LoadReport) => failed.map(({ code, text }) => `${code}: ${text}`)

describePostgres('a fleet of three under load', () => {
  it(
    'loses at most what was in flight when a replica is killed',
    async () => {
      const report = await killed({ url: await newDatabase(), role: 'other', perSecond: 150, seconds: 6 })
      expect(report.sent).toBe(900)
      expect(report.failed.length, codesOf(report).join('\n')).toBeLessThanOrEqual(report.inFlight)
      expect(report.after).toBe(report.before)
    },
    3 * minutes,
  )

  it(
    'loses at most what was in flight when the replica is killed that runs what runs once, and another runs it',
    async () => {
      const report = await killed({
        url: await newDatabase(),
        role: 'holder',
        perSecond: 100,
        seconds: 9,
        leaseMs: 1500,
      })
      expect(report.failed.length, codesOf(report).join('\n')).toBeLessThanOrEqual(report.inFlight)
      expect(report.after).not.toBe(report.victim)
    },
    3 * minutes,
  )

  it(
    'loses nothing when a replica is told to end, though the balancer does not notice for three seconds',
    async () => {
      const report = await drained({ url: await newDatabase(), perSecond: 100, seconds: 9 })
      expect(codesOf(report)).toEqual([])
      expect(report.exit).toBe(0)
    },
    3 * minutes,
  )

  it(
    'keeps a legacy session wherever its requests land',
    async () => {
      const { lost, replicas, length } = await oneSession({ url: await newDatabase(), requests: 300 })
      expect(lost).toEqual([])
      expect(replicas).toBe(3)
      expect(length).toBeLessThanOrEqual(1024)
    },
    3 * minutes,
  )

  it(
    'goes on with one child when its holder was frozen and wakes again',
    async () => {
      const report = await frozen({ url: await newDatabase(), forMs: 5000, perSecond: 50, leaseMs: 1500 })
      expect(report.children).toBe(1)
      // Those that had been sent to the frozen one, and nothing later: nobody knows whether it had begun with them.
      expect(report.failed.filter(({ at }) => at > report.frozenAt + report.handover)).toEqual([])
    },
    3 * minutes,
  )

  it(
    'does not care about a clock that is wrong by an hour',
    async () => {
      for (const byMs of [3_600_000, -3_600_000])
        expect(codesOf(await wrongClock({ url: await newDatabase(), byMs }))).toEqual([])
    },
    3 * minutes,
  )

  it(
    'starts at once on an empty database with one schema and one key for administration',
    async () => {
      for (let round = 0; round < 3; round++)
        expect(await startedAtOnce({ url: await newDatabase() })).toMatchObject({ adminKeys: 1, schemas: 1 })
    },
    3 * minutes,
  )
})

describePostgres('a fleet whose database', () => {
  it.each(['stop', 'hole', 'terminate'] as const)(
    'goes away (%s) fails no call, refuses writes in time, and goes on when it is back',
    async (how) => {
      await using server = await ownPostgres()
      const report = await storeAway({ server, awayMs: how === 'terminate' ? 500 : 6000, perSecond: 50, how })
      expect(codesOf(report)).toEqual([])
      if (how !== 'terminate') expect(report.refused.code).toMatch(/STORE_UNAVAILABLE/)
      expect(report.moved).toBe(false)
    },
    3 * minutes,
  )
})
