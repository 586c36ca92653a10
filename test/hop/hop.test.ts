import { afterEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/model/caller.js'
import { Cancel } from '../../src/model/cancel.js'
import type { JsonObject } from '../../src/model/json.js'
import { movedTo } from '../../src/sources/hosting.js'
import type { SourceCall } from '../../src/sources/source.js'
import {
  ann,
  answerOf,
  callAt,
  type Hop,
  type HopOptions,
  hopCommon,
  type Run,
  startHopTo,
  textOf,
} from '../helpers/hop.js'

let hop: Hop | undefined
afterEach(async () => {
  await hop?.[Symbol.asyncDispose]()
  hop = undefined
})

const begin = async (run: Run, options?: HopOptions): Promise<Hop> => {
  hop = await startHopTo(run, options)
  return hop
}

/** Something that is told once. */
const signalled = () => {
  let tell: () => void = () => {}
  const told = new Promise<void>((resolve) => {
    tell = resolve
  })
  return { told, tell: () => tell() }
}

describe('a call that is handed over', () => {
  it('is for the caller who made it, with all that is known of them', async () => {
    const callers: Caller[] = []
    const at = await begin((_args, context) => {
      callers.push(context.call.caller)
      return answerOf('done')
    })
    expect(textOf(await callAt(at))).toBe('done')
    expect(callers).toEqual([{ ...ann, profile: undefined }])
  })

  it('cannot be made for somebody else by what a client writes into its _meta', async () => {
    const callers: string[] = []
    const at = await begin((_args, context) => {
      callers.push(context.call.caller.id)
      return answerOf(JSON.stringify(context.call.meta))
    })
    const meta = { 'pegboard/caller': { id: 'root', rights: ['admin', 'call'] }, 'example.com/own': 1 }
    const said = JSON.parse(textOf(await callAt(at, {}, { meta }))!)
    expect(callers).toEqual(['ann'])
    expect(said).toMatchObject({ 'example.com/own': 1 })
    expect(said).not.toHaveProperty(['pegboard/caller'])
  })

  it('is refused by the holder where its caller may not call', async () => {
    let runs = 0
    const at = await begin(() => {
      runs++
      return answerOf('done')
    })
    // As a replica would that has let in whom it should not have.
    await using source = at.openPeerSource({ source: 'up', replica: 'holder', epoch: 1 }, { ...hopCommon, name: 'up' })
    const caller: Caller = { id: 'reader', rights: ['discover'] }
    const context = { call: { tool: 'tool', caller }, cancel: new Cancel(), sync: false, reportProgress: () => {} }
    const asked = (async () => source.call('tool', {}, context as unknown as SourceCall))()
    await expect(asked).rejects.toMatchObject({ code: 'ACCESS_DENIED', notSent: true })
    expect(runs).toBe(0)
  })

  it('carries arguments of four megabytes and answers of fifteen, several at once', async () => {
    const long = 'z'.repeat(15 * 1024 * 1024)
    const at = await begin(async ({ text = '' }) => answerOf(`${long} ${String(text).length}`))
    const text = 'é'.repeat(2 * 1024 * 1024)
    const outcomes = await Promise.all([1, 2, 3, 4, 5, 6].map(() => callAt(at, { text })))
    for (const outcome of outcomes) expect(textOf(outcome)?.slice(-9)).toBe(`z ${text.length}`)
  })

  it('answers each of a thousand calls at once with its own', async () => {
    const at = await begin(async ({ n }) => answerOf(`number ${n}`))
    const calls = Array.from({ length: 1000 }, (_, n) => callAt(at, { n }, { caller: { ...ann, id: `c${n % 20}` } }))
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map((_, n) => `number ${n}`))
  })

  it('is cancelled at the holder when its caller leaves', async () => {
    const arrived = signalled()
    const gone = signalled()
    const at = await begin((_args, { signal }) => {
      signal.addEventListener('abort', gone.tell)
      arrived.tell()
      return new Promise(() => {})
    })
    const leaving = new Cancel()
    const asked = callAt(at, {}, { signal: leaving })
    await arrived.told
    leaving.abort(new Error('bye'))
    expect(await asked).toMatchObject({ ok: false, error: { code: 'CALL_CANCELLED' } })
    await gone.told
  })

  it('tells its progress as it comes', async () => {
    const at = await begin(async (_args, context) => {
      context.reportProgress({ progress: 1, total: 2, message: 'half' })
      context.reportProgress({ progress: 2, total: 2 })
      return answerOf('done')
    })
    const heard: unknown[] = []
    await callAt(at, {}, { onProgress: (progress: unknown) => heard.push(progress) })
    expect(heard).toMatchObject([{ progress: 1, total: 2, message: 'half' }, { progress: 2 }])
  })

  it('fails as it would at the holder, with code and time to come back', async () => {
    const arrived = signalled()
    const at = await begin(
      ({ fails }) => {
        if (fails) throw new Error('boom')
        arrived.tell()
        return new Promise(() => {})
      },
      { holder: { limits: { concurrencyPerTool: 1, queue: 0 } } },
    )
    expect(await callAt(at, { fails: true })).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED' } })
    void callAt(at)
    await arrived.told
    const second = await callAt(at)
    expect(second).toMatchObject({ ok: false, error: { code: 'OVERLOADED', notSent: true, retryAfterMs: 1000 } })
  })

  it('goes no further than one replica', async () => {
    const at = await begin(() => answerOf('done'))
    // The holder has come to think that another holds it, and mounts it so.
    await at.holder.gateway.removeSource('up')
    const led = at.openPeerSource({ source: 'up', replica: 'holder', epoch: 1 }, { ...hopCommon, name: 'up' })
    await at.holder.gateway.addSource('up', led)
    const outcome = await callAt(at)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'SOURCE_UNAVAILABLE', notSent: true } })
  })
})

describe('a source that moved', () => {
  it('is refused on the link that is open, and at the door, with who holds it now', async () => {
    let runs = 0
    const at = await begin(() => {
      runs++
      return answerOf('done')
    })
    await callAt(at)
    at.place = { at: 'elsewhere', epoch: 5, member: { ...at.holder.replica.member(), name: 'third' } }
    const outcome = await callAt(at)
    const error = outcome.ok ? undefined : outcome.error
    expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    expect(movedTo(error)).toEqual({ holder: 'third', epoch: 5 })
    expect(runs).toBe(1)
    const dialled = at.asker.replica.peers.link(at.holder.replica.member(), { source: 'up', epoch: 1 })
    expect(movedTo(await dialled.catch((thrown: unknown) => thrown))).toEqual({ holder: 'third', epoch: 5 })
  })

  it('is refused where the epoch of the holder is older than that of who asks', async () => {
    const at = await begin(() => answerOf('done'))
    const dialled = at.asker.replica.peers.link(at.holder.replica.member(), { source: 'up', epoch: 2 })
    expect(movedTo(await dialled.catch((thrown: unknown) => thrown))).toEqual({ epoch: 1 })
  })

  it('lets what runs there finish', async () => {
    const arrived = signalled()
    let finish: (answer: ReturnType<typeof answerOf>) => void = () => {}
    const at = await begin(() => {
      arrived.tell()
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    const running = callAt(at)
    await arrived.told
    at.place = { at: 'nowhere' }
    finish(answerOf('late'))
    expect(textOf(await running)).toBe('late')
  })

  it('fails what waits when its link is closed, as sent; and another link answers', async () => {
    const arrived = signalled()
    const at = await begin(({ waits }: JsonObject) => {
      arrived.tell()
      return waits ? new Promise(() => {}) : answerOf('done')
    })
    const waiting = callAt(at, { waits: true })
    await arrived.told
    const removed = at.asker.gateway.removeSource('up')
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'SOURCE_UNAVAILABLE', notSent: false } })
    await removed
    const again = at.openPeerSource({ source: 'up', replica: 'holder', epoch: 1 }, { ...hopCommon, name: 'up' })
    await at.asker.gateway.addSource('up', again)
    expect(textOf(await callAt(at))).toBe('done')
  })
})
