import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Others, Said } from '../../fleet/others.js'
import { type History, openHistory } from '../../history/history.js'
import type { HttpExchange } from '../../http/route.js'
import { localCaller } from '../../model/caller.js'
import { systemClock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import { resultAnswer, textResult } from '../../model/result.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { HistoryDesk } from './history.js'
import { callsAsked, statsAsked } from './history-query.js'
import { wholeList, wholeStats } from './whole-history.js'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-whole-history-'))
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Replica {
  readonly name: string
  readonly history: History
  readonly desk: HistoryDesk
}

const replica = (name: string, folder = newFolder()): Replica => {
  const words = { damaged: String, trouble: String, lost: String }
  const history = openHistory({
    ...{ folder, clock: systemClock, logger: silentLogger, words, clean: (text: string) => text },
    bounds: () => ({ days: 14, maxBytes: 1e9 }),
    valuesFor: () => undefined,
  })
  opened.push(() => history.close())
  const desk: HistoryDesk = {
    isKept: () => true,
    reader: async () => history,
    replay: async (id) => ({ id, verdict: 'cannot' }),
  }
  return { name, history, desk }
}

const keep = ({ history }: Replica, tool: string, at: number, latencyMs = 1): void => {
  const meta = { latencyMs, attempts: 1, source: 'up', cached: false }
  history.listener(
    { ...meta, kind: 'tool', tool, caller: 'local', ok: true, code: undefined, at },
    { tool, args: {}, caller: localCaller },
    { ok: true, answer: resultAnswer(textResult('ok')), meta },
  )
}

const asking = (target: string, passedBy?: string) => {
  const query = new URL(target, 'http://board').searchParams
  return { exchange: { query, passedBy } as HttpExchange, caller: localCaller }
}

/** The others as they are over HTTP: the same question, answered by each for itself, as JSON. */
const othersOf = (self: Replica, rest: readonly Replica[], away: readonly string[] = []): Others => {
  const others: Pick<Others, 'replica' | 'names' | 'ask'> = {
    replica: self.name,
    names: () => rest.map(({ name }) => name),
    ask: async (target) => [
      ...(await Promise.all(
        rest.map(async (each): Promise<Said> => {
          const request = asking(target, self.name)
          const fields = request.exchange.query
          const theirs = othersOf(each, [])
          const answer = target.includes('/history-stats')
            ? await wholeStats(each.desk, theirs, request, statsAsked(fields, 0))
            : await wholeList(each.desk, theirs, request, callsAsked(fields))
          return { replica: each.name, answer: JSON.parse(JSON.stringify(answer)) as JsonObject }
        }),
      )),
      ...away.map((name) => ({ replica: name, answer: undefined })),
    ],
  }
  return others as Others
}

const list = (self: Replica, others: Others, query = '') =>
  wholeList(self.desk, others, asking(`/history?${query}`), callsAsked(new URLSearchParams(query)))

const now = Date.UTC(2026, 10, 18)
const stats = (self: Replica, others: Others, query = '') =>
  wholeStats(self.desk, others, asking(`/history-stats?${query}`), statsAsked(new URLSearchParams(query), now))

describe('the history of a fleet', () => {
  it('is one list, newest first, gone on with by one place in it', async () => {
    const [one, two] = [replica('one'), replica('two')]
    for (let at = 0; at < 6; at++) keep(at % 3 === 0 ? one : two, `tool.${at}`, now - 1000 + at)
    const others = othersOf(one, [two], ['three'])
    const first = await list(one, others, 'limit=4')
    expect(first.calls.map(({ tool, replica: where }) => [tool, where])).toEqual([
      ['tool.5', 'two'],
      ['tool.4', 'two'],
      ['tool.3', 'one'],
      ['tool.2', 'two'],
    ])
    expect(first.covers).toEqual({ replica: 'one', replicas: ['one', 'two'], away: ['three'] })
    const second = await list(one, others, `limit=4&cursor=${first.next}`)
    expect(second.calls.map(({ tool }) => tool)).toEqual(['tool.1', 'tool.0'])
    expect(second.next).toBeUndefined()
  })

  it('is counted together, percentiles included, and by the same points in time', async () => {
    const [one, two] = [replica('one'), replica('two')]
    for (let count = 0; count < 50; count++) keep(one, 'slow', now - 60_000, 100)
    for (let count = 0; count < 50; count++) keep(two, 'quick', now - 60_000, 1)
    const told = await stats(one, othersOf(one, [two]), 'by=tool')
    expect(told.totals.calls).toBe(100)
    expect(told.totals.p50Ms).toBeCloseTo(1, 1)
    expect(Math.abs(told.totals.p95Ms - 100)).toBeLessThanOrEqual(2)
    expect(told.series).toHaveLength(1)
    expect(told.split?.map(({ name, calls }) => [name, calls]).sort()).toEqual([
      ['quick', 50],
      ['slow', 50],
    ])
    expect(told.counts).toBeUndefined()
  })

  it('has each call once where replicas share a folder, as workers do', async () => {
    const folder = newFolder()
    const [one, two] = [replica('one', folder), replica('two', folder)]
    keep(one, 'tool.a', now - 2000)
    keep(two, 'tool.b', now - 1000)
    await two.history.find({ limit: 1 })
    const others = othersOf(one, [two])
    expect((await list(one, others)).calls.map(({ tool }) => tool)).toEqual(['tool.b', 'tool.a'])
    expect((await stats(one, others)).totals.calls).toBe(2)
  })
})
