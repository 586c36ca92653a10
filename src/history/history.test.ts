import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { GatewayError } from '../errors.js'
import type { Call } from '../model/call.js'
import type { Outcome } from '../model/outcome.js'
import { resultAnswer, textResult } from '../model/result.js'
import type { CallRecord } from '../telemetry/calls.js'
import type { Logger } from '../telemetry/logger.js'
import { type History, openHistory, readHistory } from './history.js'
import type { KeptCall } from './kept-call.js'
import type { CallFilter } from './query.js'
import type { ValueBounds } from './values.js'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-history-'))
  folders.push(folder)
  return join(folder, 'history')
}

interface Opened {
  readonly history: History
  readonly clock: VirtualClock
  readonly said: string[]
}

interface Wishes {
  readonly folder?: string | undefined
  readonly clock?: VirtualClock | undefined
  readonly days?: number | undefined
  readonly maxBytes?: number | undefined
  readonly values?: Readonly<Record<string, ValueBounds>> | undefined
  readonly clean?: ((text: string) => string) | undefined
}

const open = ({ folder = newFolder(), clock = new VirtualClock(), ...wishes }: Wishes = {}): Opened => {
  const said: string[] = []
  const logger: Logger = { log: (_level, message) => void said.push(message), child: () => logger }
  const history = openHistory({
    ...{ folder, clock, logger, words: inShort, clean: wishes.clean ?? ((text) => text) },
    bounds: () => ({ days: wishes.days ?? 14, maxBytes: wishes.maxBytes ?? 1e9 }),
    valuesFor: (profile) => wishes.values?.[profile],
  })
  return { history, clock, said }
}

const inShort = {
  damaged: (file: string) => `damaged ${file}`,
  trouble: (reason: string) => `trouble ${reason}`,
  lost: (calls: number) => `lost ${calls}`,
}

interface Made {
  readonly tool: string
  readonly source: string
  readonly caller: string
  readonly client: string | undefined
  readonly profile: string | undefined
  readonly code: 'TOOL_FAILED' | 'OVERLOADED' | undefined
  readonly latencyMs: number
  readonly afterMs: number
}

const tell = (history: History, clock: VirtualClock, made: Partial<Made> = {}): void => {
  const { tool = 'calc.add', source = 'calc', caller = 'key:1', latencyMs = 1, code } = made
  const call: Call = {
    tool,
    args: { a: 1 },
    bytes: 40,
    caller: { id: caller, name: `${caller} by name`, rights: ['call'], profile: made.profile },
    from: { face: 'mcp', client: made.client, version: '1.0', protocol: '2025-06-18' },
  }
  const meta = { latencyMs, attempts: 1, source, cached: false }
  const record: CallRecord = {
    ...{ kind: 'tool', tool, source, caller, ok: code === undefined, code, latencyMs, attempts: 1, cached: false },
    ...{ at: clock.wall(), waitingMs: 0, sourceMs: latencyMs / 2 },
  }
  const outcome: Outcome = code
    ? { ok: false, error: new GatewayError(code, `'${tool}' went wrong.`), meta }
    : { ok: true, answer: resultAnswer(textResult('3')), meta }
  history.listener(record, call, outcome)
}

const all = async (
  history: Pick<History, 'find'>,
  filter: CallFilter = {},
  limit = 7,
): Promise<readonly KeptCall[]> => {
  const found: KeptCall[] = []
  let cursor: string | undefined
  do {
    const page = await history.find({ ...filter, limit, cursor })
    found.push(...page.calls)
    cursor = page.next
  } while (cursor !== undefined)
  return found
}

const madeCall = fc.record({
  tool: fc.constantFrom('calc.add', 'calc.mul', 'web.get', '天气'),
  source: fc.constantFrom('calc', 'web'),
  caller: fc.constantFrom('key:1', 'key:2'),
  client: fc.constantFrom('Cursor', 'claude-code', undefined),
  profile: fc.constantFrom('team', undefined),
  code: fc.constantFrom('TOOL_FAILED' as const, 'OVERLOADED' as const, undefined, undefined),
  latencyMs: fc.double({ min: 0.01, max: 60_000, noNaN: true }),
  afterMs: fc.integer({ min: 0, max: 5000 }),
})

const fits = (filter: CallFilter, made: Made & { readonly at: number }): boolean =>
  (filter.from === undefined || made.at >= filter.from) &&
  (filter.to === undefined || made.at < filter.to) &&
  (filter.tool === undefined || made.tool === filter.tool) &&
  (filter.source === undefined || made.source === filter.source) &&
  (filter.client === undefined || made.client === filter.client) &&
  (filter.caller === undefined || made.caller === filter.caller) &&
  (filter.profile === undefined || (made.profile ?? 'default') === filter.profile) &&
  (filter.code === undefined || made.code === filter.code) &&
  (filter.outcome === undefined || (made.code === undefined) === (filter.outcome === 'ok')) &&
  (filter.text === undefined ||
    [made.tool, made.source, made.client, made.caller, made.code && `'${made.tool}' went wrong.`].some((each) =>
      each?.toLowerCase().includes(filter.text!),
    ))

describe('the history of calls (N4)', () => {
  it('finds what a plain list of the same calls would, whoever wrote them and however often it was opened', async () => {
    const filterOf = fc.record(
      {
        from: fc.integer({ min: 0, max: 60_000 }),
        to: fc.integer({ min: 0, max: 60_000 }),
        tool: fc.constantFrom('calc.add', '天气', 'nothing'),
        source: fc.constantFrom('calc', 'web'),
        client: fc.constantFrom('Cursor', 'nobody'),
        caller: fc.constantFrom('key:1', 'key:2'),
        profile: fc.constantFrom('team', 'default'),
        outcome: fc.constantFrom('ok' as const, 'failed' as const),
        code: fc.constantFrom('TOOL_FAILED', 'OVERLOADED'),
        text: fc.constantFrom('cur', 'wrong', 'web', 'zzz'),
      },
      { requiredKeys: [] },
    )
    // Each list of calls is what one process kept; two of them at a time write into one folder.
    const lives = fc.array(fc.array(madeCall, { maxLength: 25 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(lives, filterOf, fc.integer({ min: 1, max: 9 }), async (processes, filter, limit) => {
        const folder = newFolder()
        const clock = new VirtualClock()
        const model: (Made & { readonly at: number })[] = []
        const beganAt = clock.wall()
        for (const calls of processes) {
          const [one, other] = [open({ folder, clock }), open({ folder, clock })]
          for (const [index, made] of calls.entries()) {
            await clock.advance(made.afterMs)
            tell((index % 2 === 0 ? one : other).history, clock, made)
            model.push({ ...made, at: clock.wall() })
          }
          await one.history.close()
          await other.history.close()
        }
        const asked: CallFilter = {
          ...filter,
          from: filter.from === undefined ? undefined : beganAt + filter.from,
          to: filter.to === undefined ? undefined : beganAt + filter.to,
        }
        const meant = model.filter((made) => fits(asked, made))
        const found = await all(readHistory(folder), asked, limit)
        expect(found.map(({ at }) => at)).toEqual(meant.map(({ at }) => at).sort((one, other) => other - one))
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
        const key = ({ at, tool, caller, code }: Pick<KeptCall, 'at' | 'tool' | 'caller' | 'code'>) =>
          `${at} ${tool} ${caller} ${code}`
        expect(found.map(key).sort()).toEqual(meant.map(key).sort())
        const { series } = await readHistory(folder).count({
          ...asked,
          from: asked.from ?? 0,
          to: asked.to ?? 1e15,
          bucketMs: 1e15,
          most: 10,
        })
        const [counted] = [...series.values()].map((tally) => tally.figures())
        expect(counted?.calls ?? 0).toBe(meant.length)
        const sorted = meant.map(({ latencyMs }) => latencyMs).sort((one, two) => one - two)
        const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
        expect(Math.abs((counted?.p95Ms ?? 0) - p95)).toBeLessThanOrEqual(p95 * 0.02 + 0.001)
        for (const each of found.slice(0, 3)) expect((await readHistory(folder).one(each.id))?.call).toEqual(each)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps of a call who made it, by which program, how large it was and where the time went', async () => {
    const { history, clock } = open()
    tell(history, clock, { client: 'Cursor', latencyMs: 8, profile: 'team' })
    const [kept] = (await history.find({ limit: 1 })).calls
    expect(kept).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{9}-[0-9a-z]{8}-0$/),
      at: clock.wall(),
      ...{ kind: 'tool', tool: 'calc.add', source: 'calc', caller: 'key:1', callerName: 'key:1 by name' },
      ...{ client: 'Cursor', clientVersion: '1.0', profile: 'team', protocol: '2025-06-18', face: 'mcp', ok: true },
      ...{ latencyMs: 8, spent: { waitingMs: 0, sourceMs: 4, ownMs: 4 }, attempts: 1, cached: false },
      ...{ argumentBytes: 40, resultBytes: 40, argumentTokens: 10, resultTokens: 10, hasValues: false },
    })
    await history.close()
  })

  it('cuts off what a crash left half written, wherever that was', async () => {
    const folder = newFolder()
    const { history, clock } = open({ folder })
    const sizes: number[] = []
    for (let count = 0; count < 4; count++) {
      tell(history, clock, { tool: `calc.${count}` })
      await history.find({ limit: 1 })
      sizes.push(readFileSync(segmentIn(folder)).length)
    }
    await history.close()
    const whole = readFileSync(segmentIn(folder))
    for (let size = whole.length; size >= 0; size -= 7) {
      truncateSync(segmentIn(folder), size)
      const left = sizes.filter((each) => each <= size).length
      const { history: again, said } = open({ folder })
      expect((await all(again)).map(({ tool }) => tool)).toEqual(
        ['calc.3', 'calc.2', 'calc.1', 'calc.0'].slice(4 - left),
      )
      expect(said).toEqual([])
      await again.close()
    }
  })

  it('names a file that is damaged, reads what stands before that, and goes on', async () => {
    const folder = newFolder()
    const { history, clock } = open({ folder })
    for (let count = 0; count < 3; count++) {
      tell(history, clock, { tool: `calc.${count}` })
      await history.find({ limit: 1 })
    }
    await history.close()
    const file = segmentIn(folder)
    const bytes = readFileSync(file)
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff
    writeFileSync(file, bytes)
    const { history: again, said } = open({ folder, clock })
    expect((await all(again)).map(({ tool }) => tool)).toEqual(['calc.0'])
    await clock.advance(1)
    tell(again, clock, { tool: 'calc.new' })
    expect((await all(again)).map(({ tool }) => tool)).toEqual(['calc.new', 'calc.0'])
    expect(said).toEqual([expect.stringMatching(/^damaged [0-9a-z-]+\.calls$/)])
    await again.close()
  })

  it('sets aside what is none of its files under one of their names', async () => {
    const folder = newFolder()
    const { history, clock, said } = open({ folder })
    tell(history, clock)
    await history.find({ limit: 1 })
    appendFileSync(join(folder, '0aaaaaaaa-bbbbbbbb.calls'), 'this is no history at all, whatever its name is')
    expect(await all(history)).toHaveLength(1)
    expect(await all(history)).toHaveLength(1)
    expect(said).toEqual(['damaged 0aaaaaaaa-bbbbbbbb.calls'])
    expect(readdirSync(folder)).toContain('0aaaaaaaa-bbbbbbbb.damaged')
    await history.close()
  })

  it('lets go of what is older than its days, and of the oldest where it is too large', async () => {
    const folder = newFolder()
    const clock = new VirtualClock()
    const day = 24 * 3_600_000
    for (let count = 0; count < 6; count++) {
      const { history } = open({ folder, clock, days: 3 })
      tell(history, clock, { tool: `day.${count}` })
      await history.close()
      await clock.advance(day)
    }
    const { history } = open({ folder, clock, days: 3 })
    await history.close()
    // A segment may hold a day: that much more is kept.
    expect((await all(readHistory(folder))).map(({ tool }) => tool)).toEqual(['day.5', 'day.4', 'day.3', 'day.2'])
    const small = open({ folder, clock, days: 3, maxBytes: 700 })
    await small.history.close()
    expect((await all(readHistory(folder))).map(({ tool }) => tool)).toEqual(['day.5', 'day.4'])
  })

  it('goes on in a segment of its own where another process let go of the one it writes', async () => {
    const folder = newFolder()
    const { history, clock } = open({ folder })
    tell(history, clock, { tool: 'calc.gone' })
    await history.find({ limit: 1 })
    rmSync(segmentIn(folder))
    tell(history, clock, { tool: 'calc.after' })
    expect((await all(history)).map(({ tool, caller }) => [tool, caller])).toEqual([['calc.after', 'key:1']])
    await history.close()
  })

  it('splits figures by tool, source, client, caller, profile and code', async () => {
    const { history, clock } = open()
    tell(history, clock, { tool: 'calc.add', latencyMs: 10, client: 'Cursor' })
    tell(history, clock, { tool: 'calc.add', latencyMs: 30, client: 'Cursor', code: 'TOOL_FAILED' })
    tell(history, clock, { tool: 'web.get', source: 'web', latencyMs: 5 })
    const by = async (split: 'tool' | 'client' | 'code') => {
      const asked = { from: clock.wall() - 1000, to: clock.wall() + 1000, bucketMs: 500, most: 5 }
      const counts = await history.count({ ...asked, by: split })
      return Object.fromEntries([...counts.split!].map(([name, tally]) => [name, tally.figures()]))
    }
    expect(await by('tool')).toMatchObject({
      'calc.add': { calls: 2, errors: 1, meanMs: 20, maxMs: 30, sourceMs: 20 },
      'web.get': { calls: 1, errors: 0 },
    })
    expect(await by('client')).toMatchObject({ Cursor: { calls: 2 }, '': { calls: 1 } })
    expect(await by('code')).toMatchObject({ TOOL_FAILED: { calls: 1 }, '': { calls: 2 } })
    await history.close()
  })

  it('keeps no value unless the profile says so, and then none that is secret', async () => {
    const canary = 'canary-5f2b9d7c1e'
    const folder = newFolder()
    const values = { kept: { argumentBytes: 4096, resultBytes: 4096 } }
    const { history, clock } = open({ folder, values, clean: (text) => text.replaceAll(canary, '***') })
    const said = (profile: string | undefined): void => {
      const call: Call = {
        tool: 'web.get',
        args: {
          city: 'Oslo',
          note: `see ${canary}`,
          password: 'hunter2-hunter2',
          key: 'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
        },
        caller: { id: 'key:1', rights: [], profile },
      }
      const meta = { latencyMs: 1, attempts: 1, source: 'web', cached: false }
      const record: CallRecord = {
        ...meta,
        kind: 'tool',
        tool: 'web.get',
        caller: 'key:1',
        ok: true,
        code: undefined,
        at: clock.wall(),
      }
      history.listener(record, call, { ok: true, answer: resultAnswer(textResult(`sunny ${canary}`)), meta })
    }
    said(undefined)
    said('kept')
    const calls = await all(history)
    expect(calls.map(({ hasValues }) => hasValues)).toEqual([true, false])
    const one = await history.one(calls[0]!.id)
    expect(one?.values?.arguments?.value).toMatchObject({ city: 'Oslo', note: 'see ***' })
    expect(one?.values?.arguments?.redacted).toBe(true)
    expect(one?.values?.result?.value).toEqual({ content: [{ type: 'text', text: 'sunny ***' }] })
    expect((await history.one(calls[1]!.id))?.values).toBeUndefined()
    await history.close()
    const disk = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join()
    for (const secret of [canary, 'hunter2', 'ghp_01']) expect(disk).not.toContain(secret)
  })

  it('cuts values that are longer than what is kept of one', async () => {
    const values = { default: { argumentBytes: 32, resultBytes: 4096 } }
    const { history, clock } = open({ values })
    const meta = { latencyMs: 1, attempts: 1, source: 'web', cached: false }
    const call: Call = { tool: 'web.get', args: { text: '长'.repeat(100) }, caller: { id: 'key:1', rights: [] } }
    const record: CallRecord = {
      ...meta,
      kind: 'tool',
      tool: 'web.get',
      caller: 'key:1',
      ok: true,
      code: undefined,
      at: clock.wall(),
    }
    history.listener(record, call, { ok: true, answer: resultAnswer(textResult('ok')), meta })
    const [{ id }] = (await history.find({ limit: 1 })).calls as [KeptCall]
    const kept = (await history.one(id))?.values?.arguments
    expect(kept).toEqual({ value: `{"text":"${'长'.repeat(7)}`, bytes: 311, cut: true })
    await history.close()
  })
})

const segmentIn = (folder: string): string =>
  join(
    folder,
    readdirSync(folder)
      .filter((name) => name.endsWith('.calls'))
      .sort()
      .at(-1)!,
  )
