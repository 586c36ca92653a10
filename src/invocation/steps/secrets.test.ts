import { describe, expect, it } from 'vitest'
import { Random, samples } from '../../../test/helpers/secret-samples.js'
import { createGateway } from '../../gateway.js'
import type { Call } from '../../model/call.js'
import { localCaller } from '../../model/caller.js'
import { RawResult, RawToolAnswer } from '../../model/raw-result.js'
import type { Answer } from '../../model/result.js'
import type { SecretMode, SecretsRule } from '../../secrets/mask.js'
import type { Source } from '../../sources/source.js'
import type { CallRecord } from '../../telemetry/calls.js'
import { searchForSecrets } from './secrets.js'

const token = samples['github-token']![0]![0](new Random(11))
const label = '‹secret: github-token›'

interface Heard {
  readonly args: unknown[]
  readonly records: CallRecord[]
}

/** A board with one tool that answers what it is given to answer, and what it and the history heard. */
const boardWith = async (
  rule: Partial<SecretsRule>,
  answer: (args: unknown, call: Call) => Answer | Promise<Answer>,
) => {
  const heard: Heard = { args: [], records: [] }
  const gateway = createGateway({ secrets: searchForSecrets(() => ({ arguments: 'off', results: 'off', ...rule })) })
  gateway.onCall((record) => void heard.records.push(record))
  const source: Source = {
    kind: 'test',
    watch: async (report, signal) => {
      report({ type: 'all', tools: [{ definition: { name: 'say', inputSchema: { type: 'object' } } }] })
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
    call: (_name, args, { call }) => {
      heard.args.push(args)
      return answer(args, call)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  await gateway.addSource('far', source)
  const ask = (args: object, more: Partial<Call> = {}) =>
    gateway.call({ tool: 'far.say', args, caller: localCaller, ...more })
  return { ask, heard, gateway }
}

const raw = (result: object): Answer => {
  const bytes = Buffer.from(JSON.stringify(result))
  const at = (text: string): number => bytes.indexOf(text)
  // One member is all that these results have.
  const key = Object.keys(result)[0]!
  const members = [
    at(`"${key}"`) + 1,
    at(`"${key}"`) + 1 + key.length,
    at(`"${key}":`) + key.length + 3,
    bytes.length - 1,
  ]
  return new RawToolAnswer(new RawResult(bytes, 0, bytes.length, members)) as unknown as Answer
}

const text = (said: string) => ({ content: [{ type: 'text', text: said }] })
const answers: readonly (readonly [string, (said: string) => Answer])[] = [
  ['as bytes', (said) => raw(text(said))],
  ['as an object', (said) => ({ type: 'result', result: { ...text(said), structuredContent: { deep: [{ said }] } } })],
  ['as a value', (said) => ({ type: 'value', value: { deep: [{ said }] } })],
]
const shown = (value: unknown): string => JSON.stringify(value)

describe('a secret in an answer', () => {
  it.each(answers)('%s is told, and goes out as it came: flag', async (_, make) => {
    const answer = make(`it is ${token}`)
    const { ask, heard } = await boardWith({ results: 'flag' }, () => answer)
    const outcome = await ask({})
    expect(outcome).toMatchObject({ ok: true })
    if (outcome.ok) expect(outcome.answer).toBe(answer)
    expect(heard.records).toMatchObject([{ ok: true, secrets: { results: { 'github-token': expect.any(Number) } } }])
    expect(shown(heard.records)).not.toContain(token)
  })

  it.each(answers)('%s is taken out: mask', async (_, make) => {
    const { ask } = await boardWith({ results: 'mask' }, () => make(`it is ${token}, "quoted"`))
    const outcome = await ask({})
    expect(shown(outcome)).not.toContain(token)
    expect(shown(outcome)).toContain(`it is ${label}, `)
  })

  it.each(answers)('%s is refused by kind and never by value: block', async (_, make) => {
    const { ask, heard } = await boardWith({ results: 'block' }, () => make(`it is ${token}`))
    const outcome = await ask({})
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'SECRET_REFUSED', details: { kinds: ['github-token'] } },
    })
    expect(shown(outcome) + shown(heard.records)).not.toContain(token)
  })

  it.each(answers)('%s without one is not touched', async (_, make) => {
    const answer = make('nothing to hide')
    for (const results of ['flag', 'mask', 'block'] as const) {
      const { ask, heard } = await boardWith({ results }, () => answer)
      const outcome = await ask({})
      expect(outcome.ok && outcome.answer).toBe(answer)
      expect(heard.records[0]).not.toHaveProperty('secrets')
    }
  })

  it('in the words of an error is treated alike', async () => {
    const fail = () => {
      throw new Error(`cannot log in with ${token}`)
    }
    const masked = await (await boardWith({ results: 'mask' }, fail)).ask({})
    expect(masked).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED', message: expect.stringContaining(label) } })
    const blocked = await (await boardWith({ results: 'block' }, fail)).ask({})
    expect(blocked).toMatchObject({ ok: false, error: { code: 'SECRET_REFUSED' } })
    expect(String(!masked.ok && masked.error.message) + String(!blocked.ok && blocked.error.message)).not.toContain(
      token,
    )
  })

  it('is taken out before the answer is cut to size', async () => {
    const { ask } = await boardWith({ results: 'mask' }, () => raw(text(`${'x'.repeat(80)} ${token}`)))
    expect(shown(await ask({}, { maxResultBytes: 100 }))).not.toContain(token.slice(0, 8))
  })

  it('that the profile allows is none', async () => {
    const { ask } = await boardWith({ results: 'block', allow: new Set(['github-token']) }, () => raw(text(token)))
    expect(await ask({})).toMatchObject({ ok: true })
  })

  it('that a server keeps in its state comes back to it', async () => {
    const result = { resultType: 'input_required', requestState: token, content: [], note: token }
    const { ask } = await boardWith({ results: 'mask' }, () => ({ type: 'result', result }))
    const outcome = await ask({})
    expect(outcome).toMatchObject({ answer: { result: { requestState: token, note: label } } })
  })
})

describe('a secret in arguments', () => {
  const ends: Readonly<Record<SecretMode, readonly unknown[]>> = {
    off: [{ a: [{ b: token }] }],
    flag: [{ a: [{ b: token }] }],
    mask: [{ a: [{ b: label }] }],
    block: [],
  }
  it.each(Object.keys(ends) as SecretMode[])('reaches the source as the profile says: %s', async (mode) => {
    const { ask, heard } = await boardWith({ arguments: mode }, () => ({ type: 'value', value: 1 }))
    const args = { a: [{ b: token }] }
    const outcome = await ask(args)
    expect(heard.args).toEqual(ends[mode])
    expect(args).toEqual({ a: [{ b: token }] })
    expect(heard.records[0]?.secrets).toEqual(mode === 'off' ? undefined : { arguments: { 'github-token': 1 } })
    if (mode !== 'block') return
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'SECRET_REFUSED', details: { place: 'a[0].b' }, notSent: true },
    })
    expect(shown(outcome)).not.toContain(token)
  })

  it('is known by the name of its key', async () => {
    const { ask, heard } = await boardWith({ arguments: 'mask' }, () => ({ type: 'value', value: 1 }))
    await ask({ password: 'Tr0ub4dor&3x', user: 'Tr0ub4dor&3x' })
    expect(heard.args).toEqual([{ password: '‹secret: labelled-secret›', user: 'Tr0ub4dor&3x' }])
  })

  it('or in its key is taken out as well', async () => {
    const { ask, heard } = await boardWith({ arguments: 'mask' }, () => ({ type: 'value', value: 1 }))
    await ask({ [token]: 1 })
    expect(heard.args).toEqual([{ [label]: 1 }])
  })
})

describe('what passes beside the answer', () => {
  const talk = async (rule: Partial<SecretsRule>) => {
    const told: unknown[] = []
    const { ask } = await boardWith(rule, async (_args, call) => {
      call.onProgress?.({ progress: 1, message: `at ${token}` })
      call.asking?.onLog?.({ level: 'info', data: token })
      const params = { message: `is it ${token}?` }
      const { content } = await call.asking!.ask({ method: 'elicitation/create', params }, new AbortController().signal)
      return {
        type: 'value',
        value: { sent: content, responses: call.asking?.rounds?.inputResponses, meta: call.meta },
      }
    })
    const outcome = await ask(
      {},
      {
        meta: { note: token },
        onProgress: (progress) => void told.push(progress),
        asking: {
          capabilities: {},
          rounds: { inputResponses: { a: { content: token } } },
          onLog: (params) => void told.push(params),
          ask: async (question) => {
            told.push(question)
            return { action: 'accept', content: { key: token } }
          },
        },
      },
    )
    return { outcome, told }
  }

  it('is searched on its way to the caller', async () => {
    const { told } = await talk({ results: 'mask' })
    expect(told).toHaveLength(3)
    expect(shown(told)).not.toContain(token)
    expect(shown(told).split(label)).toHaveLength(4)
  })

  it('and on its way to the source', async () => {
    const { outcome, told } = await talk({ arguments: 'mask' })
    expect(shown(told)).toContain(token)
    expect(shown(outcome)).not.toContain(token)
    expect(shown(outcome).split(label)).toHaveLength(4)
  })

  it('ends the call where it is refused', async () => {
    const { outcome } = await talk({ arguments: 'block' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'SECRET_REFUSED' } })
    expect(shown(outcome)).not.toContain(token)
  })
})

describe('a text that keeps the search busy', () => {
  it('is refused where secrets must not pass', async () => {
    const busy = '.xoxb-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.repeat(20_000)
    for (const results of ['mask', 'block'] as const) {
      const { ask } = await boardWith({ results }, () => ({ type: 'value', value: busy }))
      expect(await ask({})).toMatchObject({ ok: false, error: { code: 'SECRET_REFUSED' } })
    }
    const { ask } = await boardWith({ results: 'flag' }, () => ({ type: 'value', value: busy }))
    expect(await ask({})).toMatchObject({ ok: true })
  })
})
