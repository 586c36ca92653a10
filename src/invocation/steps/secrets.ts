import { GatewayError, isGatewayError } from '../../errors.js'
import type { Asking } from '../../model/asking.js'
import type { Call } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { type Answer, resultAnswer, type ToolResult, valueAnswer } from '../../model/result.js'
import {
  countOf,
  maskText,
  type SecretCounts,
  type SecretMode,
  type SecretsRule,
  ValueSearch,
} from '../../secrets/mask.js'
import { searchBytes, searchSecrets } from '../../secrets/search.js'
import type { CallSecrets } from '../../telemetry/calls.js'
import type { Passage, Step } from '../passage.js'

/** Asked at every call, so that a changed configuration counts at once. Undefined: nobody searches. */
export type SecretsOf = (caller: Caller) => SecretsRule | undefined

/** A search for credentials that a gateway is given: one that is not given costs a program nothing, its rules included. */
export interface SecretSearch {
  readonly of: SecretsOf
}

// What is only told is looked for so far in each direction: behind that a long answer would cost more than its passing on.
const mostFlagged = 256 * 1024

/**
 * Credentials on their way to a source and back (T23): told, taken out, or refused. Inward of `shape`, which could cut one in
 * two, and outward of `retry`: what is asked twice is searched once.
 */
const secrets = (secretsOf: SecretsOf): Step => ({
  enter: (passage) => {
    const rule = secretsOf(passage.call.caller)
    if (!rule) return
    passage.secretsRule = rule
    if (rule.arguments !== 'off') passage.args = searchArguments(passage, rule)
    if (acts(rule.arguments) || acts(rule.results)) passage.call = guarded(passage, rule)
  },
  leave: (passage, answer) => {
    const rule = passage.secretsRule
    return rule === undefined || rule.results === 'off' ? answer : searchAnswer(passage, rule, answer)
  },
  fail: (passage, error) => {
    const rule = passage.secretsRule
    if (rule && acts(rule.results) && isGatewayError(error)) searchError(passage, rule, error)
  },
})

/** Searches arguments and results for credentials, as the answer for each caller says: `createGateway({ secrets: searchForSecrets(of) })`. */
export const searchForSecrets = (of: SecretsOf): SecretSearch => ({ of, ...secrets(of) })

const acts = (mode: SecretMode): boolean => mode === 'mask' || mode === 'block'

const note = (passage: Passage, direction: keyof CallSecrets, counts: SecretCounts | undefined): void => {
  if (counts) passage.secrets = { ...passage.secrets, [direction]: counts }
}

const searchArguments = (passage: Passage, rule: SecretsRule): unknown => {
  const mode = rule.arguments
  const search = new ValueSearch(rule.allow, mode === 'mask', mode === 'flag' ? mostFlagged : undefined)
  const args = searched(passage, search)
  note(passage, 'arguments', search.counts)
  if (acts(mode)) refuseUnsearched(passage, 'arguments', search)
  if (mode === 'block' && search.counts) throw refused(passage, 'arguments', search.counts, search.place)
  return args
}

/** What an operator set goes to the source as it is: it is not the caller's to leak. */
const searched = ({ args, added }: Passage, search: ValueSearch): unknown => {
  if (!added) return search.walk(args)
  const entries = Object.entries(args as JsonObject)
  const own = search.walk(Object.fromEntries(entries.filter(([name]) => !added.includes(name)))) as JsonObject
  return { ...own, ...Object.fromEntries(entries.filter(([name]) => added.includes(name))) }
}

const searchAnswer = (passage: Passage, rule: SecretsRule, answer: Answer): Answer => {
  const mode = rule.results
  const raw = answer.raw?.slice()
  if (raw) {
    const { found, isWhole } = searchBytes(
      mode === 'flag' && raw.length > mostFlagged ? raw.subarray(0, mostFlagged) : raw,
      rule.allow,
    )
    if (found.length === 0 && (isWhole || mode === 'flag')) return answer
    if (mode !== 'mask' || !isWhole) {
      const counts = countOf(found)
      note(passage, 'results', counts)
      if (mode === 'flag') return answer
      throw refused(passage, 'results', counts, undefined)
    }
  }
  const search = new ValueSearch(rule.allow, mode === 'mask', mode === 'flag' ? mostFlagged : undefined)
  const before = answer.type === 'result' ? answer.result : answer.value
  const after = withState(before, search.walk(before))
  note(passage, 'results', search.counts)
  if (mode === 'flag') return answer
  refuseUnsearched(passage, 'results', search)
  if (mode === 'block' && search.counts) throw refused(passage, 'results', search.counts, search.place)
  // What the bytes showed must be gone from what goes out in their place.
  if (raw && searchSecrets(JSON.stringify(after), true, rule.allow).found.length > 0)
    throw refused(passage, 'results', search.counts, undefined)
  if (after === before) return answer
  return answer.type === 'result' ? resultAnswer(after as ToolResult, answer.failed) : valueAnswer(after)
}

/** What a source keeps with its client between two rounds is for the source alone, and would be of no use to it changed. */
const withState = (before: unknown, after: unknown): unknown => {
  const state = (before as { readonly requestState?: unknown } | null)?.requestState
  return after === before || state === undefined ? after : { ...(after as object), requestState: state }
}

const searchError = (passage: Passage, rule: SecretsRule, error: GatewayError): void => {
  const search = new ValueSearch(rule.allow, true)
  const { message, details } = search.walk({ message: error.message, details: error.details }) as Pick<
    GatewayError,
    'message' | 'details'
  >
  if (!search.counts) return
  note(passage, 'results', search.counts)
  if (rule.results === 'block') throw refused(passage, 'results', search.counts, undefined)
  const { code, notSent, retryAfterMs } = error
  throw new GatewayError(code, message, { details, notSent, retryAfterMs })
}

/** The caller as the source sees it: whatever passes between them besides the answer is searched as well. */
const guarded = (passage: Passage, rule: SecretsRule): Call => {
  const { call } = passage
  const { onProgress, asking, meta } = call
  const inward = (value: JsonObject | undefined): JsonObject | undefined => cleaned(passage, rule, 'arguments', value)
  const outward = (value: JsonObject | undefined): JsonObject | undefined => cleaned(passage, rule, 'results', value)
  return {
    ...call,
    meta: inward(meta),
    onProgress:
      onProgress && ((progress) => onProgress(outward({ ...progress } as JsonObject) as unknown as typeof progress)),
    asking: asking && new GuardedAsking(asking, inward, outward),
  }
}

type Clean = (value: JsonObject | undefined) => JsonObject | undefined

/** `rounds` and `logLevel` are read when they are asked for: a talk has them from the request it answers at the moment. */
class GuardedAsking implements Asking {
  readonly #asking: Asking
  readonly #inward: Clean
  readonly #outward: Clean

  constructor(asking: Asking, inward: Clean, outward: Clean) {
    this.#asking = asking
    this.#inward = inward
    this.#outward = outward
  }

  get capabilities(): JsonObject {
    return this.#asking.capabilities
  }

  get rounds(): Asking['rounds'] {
    const { rounds } = this.#asking
    return rounds && { ...rounds, inputResponses: this.#inward(rounds.inputResponses) }
  }

  get logLevel(): string | undefined {
    return this.#asking.logLevel
  }

  get onLog(): Asking['onLog'] {
    const { onLog } = this.#asking
    return onLog && ((params) => onLog(this.#outward(params)!))
  }

  async ask(question: Parameters<Asking['ask']>[0], signal: Parameters<Asking['ask']>[1]): Promise<JsonObject> {
    const { method, params } = question
    return this.#inward(await this.#asking.ask({ method, params: this.#outward(params) }, signal))!
  }
}

const cleaned = (
  passage: Passage,
  rule: SecretsRule,
  direction: keyof CallSecrets,
  value: JsonObject | undefined,
): JsonObject | undefined => {
  const mode = rule[direction]
  if (value === undefined || !acts(mode)) return value
  const search = new ValueSearch(rule.allow, true)
  const clean = search.walk(value) as JsonObject
  if (!search.counts && search.isWhole) return value
  note(passage, direction, search.counts)
  if (mode === 'block' || !search.isWhole) throw refused(passage, direction, search.counts, search.place)
  return clean
}

const refuseUnsearched = (passage: Passage, direction: keyof CallSecrets, search: ValueSearch): void => {
  if (!search.isWhole) throw refused(passage, direction, undefined, undefined)
}

const refused = (
  { target: { id } }: Passage,
  direction: keyof CallSecrets,
  counts: SecretCounts | undefined,
  place: string | undefined,
): GatewayError => {
  const kinds = Object.keys(counts ?? {})
  const what = direction === 'arguments' ? `What was sent to '${id}'` : `What '${id}' answered`
  const where = place === undefined || place === '' ? '' : ` at ${maskText(place).slice(0, 200)}`
  const holds =
    kinds.length > 0
      ? `holds a secret (${kinds.join(', ')})${where}`
      : 'cannot be searched for secrets as this profile demands'
  const end =
    direction === 'arguments' ? 'It was not sent; leave the secret out' : 'It is not handed on; ask for something else'
  return new GatewayError('SECRET_REFUSED', `${what} ${holds}. ${end}, or let an operator allow it.`, {
    details: { tool: id, direction, kinds, place: where === '' ? undefined : place },
    notSent: direction === 'arguments',
  })
}
