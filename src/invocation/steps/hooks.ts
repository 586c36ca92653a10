import { errorCodes, GatewayError, isGatewayError } from '../../errors.js'
import { isToolResult, toToolResult } from '../../model/answer.js'
import { isRecord, kindOf } from '../../model/json.js'
import type { CallChange, EndingChange, PluginCall, PluginEnding } from '../../model/plugin.js'
import { type Answer, resultAnswer, textResult } from '../../model/result.js'
import type { Policy } from '../../policy/policy.js'
import { type Eventually, isPromise, type Passage, type Step } from '../passage.js'
import type { PluginRun } from '../plugin-run.js'
import { authorize, type Finder } from './resolve.js'

export interface HookRooms {
  readonly finder: Finder
  readonly policy: Policy
}

/**
 * What plugins make of a call before anybody judges it. Behind `authorize`, so that nobody is told of calls that may not be
 * made; before everything that judges what is sent (overrides, schema, rules, approvals) and everything that counts, so that
 * all of it sees what is really sent, to the tool that is really called. An answer of a plugin's own waits in the passage
 * until all of them have let the call through.
 */
export const beforeCall = (runs: readonly PluginRun[], { finder, policy }: HookRooms): Step => {
  const { enter: mayCall } = authorize(policy)
  const asked = runs.filter((run) => run.has('beforeCall'))
  const take = (passage: Passage, run: PluginRun, change: CallChange | undefined): void => {
    if (!change) return
    const { refuse, route, arguments: args, headers, answer } = change
    if (refuse) throw refused(passage, run, refuse)
    if (route !== undefined) goTo(passage, run, route)
    if (args !== undefined) passage.args = args
    if (headers) passage.call = { ...passage.call, headers: { ...passage.call.headers, ...headers } }
    if (answer !== undefined) passage.ownAnswer = resultAnswer(typeof answer === 'string' ? textResult(answer) : answer)
  }
  const goTo = (passage: Passage, run: PluginRun, route: string): void => {
    const { seen, decision } = finder.tool(route, passage.call.caller)
    // A wrong word in a plugin is no way to something that this caller does not know of.
    if (!seen) throw nowhere(passage, run, route)
    passage.routedFrom ??= (passage.shown ?? passage.target).id
    passage.target = seen
    passage.decision = decision
    mayCall?.(passage)
  }
  const go = (passage: Passage, from: number): Promise<void> | undefined => {
    for (let at = from; at < asked.length && passage.ownAnswer === undefined; at++) {
      const run = asked[at]!
      const said = run.run(
        'beforeCall',
        (plugin) => plugin.beforeCall?.(callOf(passage)),
        readCallChange,
        !passage.sync,
      )
      if (isPromise(said))
        return said.then((change) => {
          take(passage, run, change)
          return go(passage, at + 1)
        })
      take(passage, run, said)
    }
    return undefined
  }
  // The board's own tools are no source's: what `call_tool` calls comes here by itself.
  return { enter: (passage) => (passage.kind !== 'tool' || passage.tool.own ? undefined : go(passage, 0)) }
}

/** Stands around the source itself, so that whatever shapes, searches and counts an answer sees what a plugin made of it. */
export interface SourceHooks {
  around(passage: Passage, ask: () => Eventually<Answer>): Eventually<Answer>
}

export const afterCall = (runs: readonly PluginRun[]): SourceHooks => {
  // The last that touched the call is the first to see its answer.
  const asked = runs.filter((run) => run.has('afterCall')).reverse()
  const told = (passage: Passage, answer: Answer, from: number): Eventually<Answer> => {
    let out = answer
    for (let at = from; at < asked.length; at++) {
      const now = out
      const said = asked[at]!.run(
        'afterCall',
        (plugin) => plugin.afterCall?.(callOf(passage), endingOf(now)),
        readEndingChange,
        !passage.sync,
      )
      if (isPromise(said)) return said.then((change) => told(passage, changed(now, change), at + 1))
      out = changed(now, said)
    }
    return out
  }
  const failed = (passage: Passage, error: unknown, from: number): Eventually<never> => {
    let out = error
    for (let at = from; at < asked.length; at++) {
      const now = out
      const said = asked[at]!.run(
        'afterCall',
        (plugin) => plugin.afterCall?.(callOf(passage), { ok: false, error: wordsOf(now) }),
        readEndingChange,
        !passage.sync,
      )
      if (isPromise(said)) return said.then((change) => failed(passage, reworded(now, change), at + 1))
      out = reworded(now, said)
    }
    throw out
  }
  return {
    around: (passage, ask) => {
      if (asked.length === 0 || passage.kind !== 'tool' || passage.tool.own) return passage.ownAnswer ?? ask()
      let answer: Eventually<Answer>
      try {
        answer = passage.ownAnswer ?? ask()
      } catch (error) {
        return failed(passage, error, 0)
      }
      if (!isPromise(answer)) return told(passage, answer, 0)
      return answer.then(
        (value) => told(passage, value, 0),
        (error) => failed(passage, error, 0),
      )
    },
  }
}

const callOf = ({ call: { caller }, target, shown, args }: Passage): PluginCall => ({
  tool: (shown ?? target).id,
  source: target.source,
  // A copy: who keeps it cannot change what was judged meanwhile.
  get arguments() {
    return copied(args)
  },
  caller: {
    id: caller.id,
    name: caller.name,
    profile: caller.profile ?? 'default',
    identity: caller.identity && {
      id: caller.identity.id,
      name: caller.identity.name,
      email: caller.identity.email,
      groups: caller.identity.groups,
    },
  },
})

/** Functions of this process may be given what nobody can copy. */
const copied = (args: unknown): unknown => {
  try {
    return structuredClone(args)
  } catch {
    return args
  }
}

/** Read when the plugin looks at it: most answers pass as bytes. */
const endingOf = (answer: Answer): PluginEnding => ({
  ok: true,
  get result() {
    return toToolResult(answer)
  },
})

const wordsOf = (error: unknown) =>
  isGatewayError(error)
    ? { code: error.code, message: error.message }
    : { code: 'TOOL_FAILED' as const, message: error instanceof Error ? error.message : String(error) }

const changed = (answer: Answer, change: EndingChange | undefined): Answer =>
  change?.result === undefined ? answer : resultAnswer(change.result, answer.failed)

const reworded = (error: unknown, change: EndingChange | undefined): unknown => {
  if (change?.message === undefined) return error
  const { code } = wordsOf(error)
  // The cause has the words that were to be taken out.
  const { details, notSent, retryAfterMs } = isGatewayError(error) ? error : {}
  return new GatewayError(code, change.message, { details, notSent, retryAfterMs })
}

/** What a hook returned, or an error that names what is wrong with it. */
export const readCallChange = (said: unknown): CallChange | undefined => {
  if (said === undefined || said === null) return undefined
  if (!isRecord(said)) throw new Error(`beforeCall returned ${kindOf(said)}, not an object`)
  const known = ['arguments', 'headers', 'route', 'answer', 'refuse']
  const odd = Object.keys(said).find((key) => !known.includes(key))
  if (odd !== undefined)
    throw new Error(`beforeCall returned '${odd}', which means nothing; known: ${known.join(', ')}`)
  const { arguments: args, headers, route, answer, refuse } = said
  if (args !== undefined && !isRecord(args)) throw new Error(`arguments must be an object, got ${kindOf(args)}`)
  if (route !== undefined && typeof route !== 'string') throw new Error(`route must be text, got ${kindOf(route)}`)
  if (answer !== undefined && typeof answer !== 'string' && !isToolResult(answer))
    throw new Error('answer must be text or a result with content')
  if (refuse !== undefined) assertRefusal(refuse)
  if (headers !== undefined) assertHeaders(headers)
  return (args === undefined ? said : { ...said, arguments: structuredClone(args) }) as CallChange
}

const assertRefusal = (refuse: unknown): void => {
  if (!isRecord(refuse) || typeof refuse.message !== 'string') throw new Error('refuse needs a message')
  if (refuse.code !== undefined && !(errorCodes as readonly unknown[]).includes(refuse.code))
    throw new Error(`refuse.code '${String(refuse.code)}' is none of ours; see docs/errors.md`)
}

const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
const isValue = /^[\t\x20-\x7e]{0,8192}$/
// The protocol's, the connection's, and those by which a source knows us: these have settings of their own.
const taken =
  /^(?:accept|authorization|connection|content-(?:length|type|encoding)|cookie|expect|host|keep-alive|mcp-.*|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
const mostHeaders = 32

const assertHeaders = (headers: unknown): void => {
  if (!isRecord(headers)) throw new Error(`headers must be an object, got ${kindOf(headers)}`)
  const entries = Object.entries(headers)
  if (entries.length > mostHeaders) throw new Error(`headers are at most ${mostHeaders}`)
  for (const [name, value] of entries) {
    if (!isToken.test(name) || taken.test(name)) throw new Error(`the header '${name.slice(0, 64)}' cannot be added`)
    if (typeof value !== 'string' || !isValue.test(value))
      throw new Error(`the header '${name}' has a value that no header can carry`)
  }
}

export const readEndingChange = (said: unknown): EndingChange | undefined => {
  if (said === undefined || said === null) return undefined
  if (!isRecord(said)) throw new Error(`afterCall returned ${kindOf(said)}, not an object`)
  if (said.result !== undefined && !isToolResult(said.result)) throw new Error('result must be a result with content')
  if (said.message !== undefined && typeof said.message !== 'string') throw new Error('message must be text')
  return said as EndingChange
}

const refused = (
  { target, shown }: Passage,
  { name }: PluginRun,
  { code = 'ACCESS_DENIED', message }: NonNullable<CallChange['refuse']>,
): GatewayError =>
  new GatewayError(code, message, { details: { tool: (shown ?? target).id, plugin: name }, notSent: true })

const nowhere = ({ target, shown }: Passage, { name }: PluginRun, route: string): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    `'${(shown ?? target).id}' may not be called: the plugin '${name}' sends it to a tool that is not here for this caller.`,
    { details: { tool: (shown ?? target).id, plugin: name, route }, notSent: true },
  )
