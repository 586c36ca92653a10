import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isGatewayError } from '../../src/errors.js'
import { toText, toValue } from '../../src/model/answer.js'
import { localCaller } from '../../src/model/caller.js'
import type { JsonObject } from '../../src/model/json.js'
import type { Answer } from '../../src/model/result.js'
import type { Source, SourceCall, SourceUpdate } from '../../src/sources/source.js'

/** What the source under test must offer, in its own way. */
export interface SourceUnderTest {
  readonly source: Source
  /** Makes the tool set change by adding a tool named `extra`; undefined where the source cannot change. */
  readonly addExtra?: () => unknown
  /** The far side drops `__proto__` before the tool sees it, as both SDKs do. */
  readonly dropsProto?: boolean
  /** Frees what the fixture itself started. */
  readonly cleanup?: () => unknown
}

/**
 * The promises every source keeps. The fixture offers `add` (numbers a, b → their sum, as text or value), `fail` (throws or
 * answers isError with "boom"), `hang` (never answers) and `echo` (gives its arguments back).
 */
export const describeSource = (name: string, make: () => SourceUnderTest | Promise<SourceUnderTest>): void => {
  describe(`${name} source contract`, () => {
    let tested: SourceUnderTest
    let stop: AbortController
    let watching: Promise<void>
    const updates: SourceUpdate[] = []
    let onUpdate: () => void = () => {}

    const names = (): string[] => {
      const known = new Set<string>()
      for (const update of updates) {
        if (update.type === 'all') known.clear()
        for (const tool of update.type === 'all' ? update.tools : update.changed) known.add(tool.definition.name)
        if (update.type === 'change') for (const each of update.removed) known.delete(each)
      }
      return [...known].sort()
    }
    const untilListed = async (tool: string): Promise<void> => {
      while (!names().includes(tool)) await new Promise<void>((resolve) => (onUpdate = resolve))
    }

    beforeEach(async () => {
      updates.length = 0
      tested = await make()
      stop = new AbortController()
      watching = tested.source.watch((update) => {
        updates.push(update)
        onUpdate()
        return []
      }, stop.signal)
      await Promise.race([untilListed('add'), watching])
    })

    afterEach(async () => {
      stop.abort()
      await watching.catch(() => {})
      await tested.source[Symbol.asyncDispose]()
      await tested.cleanup?.()
    })

    it('reports its whole tool set first', () => {
      expect(updates[0]?.type).toBe('all')
      expect(names()).toEqual(expect.arrayContaining(['add', 'echo', 'fail', 'hang']))
    })

    it('reports schemas as objects', () => {
      for (const update of updates)
        if (update.type === 'all')
          for (const { definition } of update.tools) expect(definition.inputSchema).toBeTypeOf('object')
    })

    it('answers a call', async () => {
      expect(Number(toValue(await tested.source.call('add', { a: 19, b: 23 }, sourceCall())))).toBe(42)
    })

    it('hands arguments on unchanged, odd keys included', async () => {
      const odd = tested.dropsProto ? '' : ',"__proto__":{"own":true}'
      const args = JSON.parse(`{"text":"你好 🎉","nested":{"list":[1,null,"x"]}${odd}}`) as JsonObject
      expect(JSON.stringify(toValue(await tested.source.call('echo', args, sourceCall())))).toBe(JSON.stringify(args))
    })

    it('keeps concurrent answers apart', async () => {
      const sums = await Promise.all(
        Array.from({ length: 20 }, async (_, a) =>
          Number(toValue(await tested.source.call('add', { a, b: 100 }, sourceCall()))),
        ),
      )
      expect(sums).toEqual(Array.from({ length: 20 }, (_, a) => a + 100))
    })

    it('lets a failing tool fail by throwing or by answering so', async () => {
      const ended = await settled(() => tested.source.call('fail', {}, sourceCall()))
      if (ended.answer) expect(ended.answer).toMatchObject({ type: 'result', result: { isError: true } })
      expect(ended.answer ? toText(ended.answer) : String(ended.error)).toContain('boom')
    })

    it('refuses a tool it does not have, and goes on', async () => {
      const ended = await settled(() => tested.source.call('no_such_tool', {}, sourceCall()))
      expect(ended.error ?? ended.answer).toBeDefined()
      if (ended.answer) expect(ended.answer).toMatchObject({ result: { isError: true } })
      expect(Number(toValue(await tested.source.call('add', { a: 1, b: 1 }, sourceCall())))).toBe(2)
    })

    it('ends a call whose signal aborts, and goes on', async () => {
      const leaving = new AbortController()
      const hanging = settled(() => tested.source.call('hang', {}, sourceCall(leaving.signal)))
      leaving.abort(new Error('left'))
      const ended = await Promise.race([
        hanging,
        new Promise<'ignored'>((resolve) => setImmediate(() => setImmediate(() => resolve('ignored')))),
      ])
      // In-process functions may ignore the signal: `deadline` then drops their answer. Remote sources must let go.
      if (ended === 'ignored' && !['functions', 'embedded'].includes(tested.source.kind))
        expect((await hanging).error).toBeDefined()
      expect(Number(toValue(await tested.source.call('add', { a: 2, b: 2 }, sourceCall())))).toBe(4)
    })

    it('reports a change of its tools', async ({ skip }) => {
      if (!tested.addExtra) skip('this kind of source does not change')
      await tested.addExtra?.()
      await untilListed('extra')
      expect(names()).toContain('extra')
    })

    it('ends its watch when told, and may be disposed twice', async () => {
      stop.abort()
      await expect(watching).resolves.toBeUndefined()
      await expect(tested.source[Symbol.asyncDispose]()).resolves.toBeUndefined()
      await expect(tested.source[Symbol.asyncDispose]()).resolves.toBeUndefined()
    })

    it('refuses calls after disposal with a coded error', async ({ skip }) => {
      if (tested.source.kind === 'functions') skip('functions have nothing to let go')
      stop.abort()
      await watching
      await tested.source[Symbol.asyncDispose]()
      const { error } = await settled(() => tested.source.call('add', { a: 1, b: 1 }, sourceCall()))
      expect(isGatewayError(error)).toBe(true)
    })
  })
}

export const sourceCall = (signal: AbortSignal = new AbortController().signal): SourceCall => ({
  call: { tool: 'x', caller: localCaller, signal },
  signal,
  cancel: signal,
  sync: false,
  link: { tool: 'x', args: {}, depth: 1 },
  reportProgress: () => {},
})

const settled = async (run: () => Answer | Promise<Answer>): Promise<{ answer?: Answer; error?: unknown }> => {
  try {
    return { answer: await run() }
  } catch (error) {
    return { error }
  }
}
