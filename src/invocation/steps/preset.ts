import { randomUUID } from 'node:crypto'
import type { AppliedOverride, Preset } from '../../catalog/override.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject, type JsonValue, kindOf } from '../../model/json.js'
import { escapePointer } from '../../schema/problems.js'
import { formatProblems, type Problem, type Schemas } from '../../schema/schemas.js'
import type { Passage, Step } from '../passage.js'

/**
 * What an operator's override does to arguments: a parameter that callers do not see is refused as unknown, what narrows is
 * checked, what is set and defaulted is added. `validate` then checks the whole against the upstream schema. Whatever mode of
 * validation is asked for: two truths about one argument are how rules are evaded.
 */
export const preset = (schemas: Pick<Schemas, 'validator'>, clock: Clock): Step => ({
  enter: (passage) => {
    const { shown } = passage
    if (!shown) return
    const { applied } = shown
    if (isIdle(applied)) return
    const args = checked(passage, shown.id, applied, schemas)
    const added = applied.presets.flatMap((each): readonly (readonly [string, JsonValue])[] => {
      const value = filledIn(each, passage, clock)
      return value === undefined ? [] : [[each.name, value]]
    })
    passage.args = { ...Object.fromEntries(applied.defaults), ...args, ...Object.fromEntries(added) }
    passage.added = added.map(([name]) => name)
  },
  fail: (passage, error) => {
    if (passage.shown && isGatewayError(error)) retell(passage, error)
  },
})

const isIdle = ({ hidden, presets, defaults, narrowing }: AppliedOverride): boolean =>
  hidden.size === 0 && presets.length === 0 && defaults.length === 0 && narrowing === undefined

const checked = (
  { args }: Passage,
  tool: string,
  { hidden, narrowing }: AppliedOverride,
  schemas: Pick<Schemas, 'validator'>,
): JsonObject => {
  if (!isRecord(args))
    throw invalid(tool, [{ path: '', keyword: 'type', message: `must be an object, got ${kindOf(args)}` }])
  const sent = [...hidden].filter((name) => Object.hasOwn(args, name))
  if (sent.length > 0)
    throw invalid(
      tool,
      sent.map((name) => ({
        path: `/${escapePointer(name)}`,
        keyword: 'additionalProperties',
        message: 'is not a known property',
      })),
    )
  const found = narrowing && schemas.validator(narrowing).check(args)
  if (found && !found.ok) throw invalid(tool, found.problems)
  return args as JsonObject
}

const filledIn = ({ value, from, asNumber }: Preset, { call }: Passage, clock: Clock): JsonValue | undefined => {
  // What tools are given is theirs to change.
  if (from === undefined) return typeof value === 'object' ? structuredClone(value) : value
  switch (from) {
    case '$caller.id':
      return call.caller.id
    case '$caller.profile':
      return call.caller.profile ?? 'default'
    case '$run':
      return call.run
    case '$now':
      return asNumber ? clock.wall() : new Date(clock.wall()).toISOString()
    case '$uuid':
      return randomUUID()
  }
}

const invalid = (tool: string, problems: readonly Problem[]): GatewayError =>
  new GatewayError('ARGUMENTS_INVALID', `Invalid arguments for '${tool}': ${formatProblems(problems)}.`, {
    details: { tool, problems },
    notSent: true,
  })

/** An error in the words of what its caller sees: under the name they called, and without what they do not see. */
const retell = ({ shown, target }: Passage, error: GatewayError): void => {
  const { id, applied } = shown!
  const { problems } = (error.details ?? {}) as { readonly problems?: readonly Problem[] | undefined }
  if (error.code === 'ARGUMENTS_INVALID' && problems && applied.hidden.size > 0) {
    const seen = problems.filter(({ path, message }) => !isAbout(applied.hidden, path, message))
    if (seen.length < problems.length) throw invalid(id, seen.length > 0 ? seen : [byOperator])
  }
  if (id === target.id) return
  const { code, notSent, retryAfterMs, details, cause } = error
  const told = details?.tool === target.id ? { ...details, tool: id } : details
  const message = error.message.replaceAll(`'${target.id}'`, `'${id}'`)
  throw new GatewayError(code, message, { details: told, notSent, retryAfterMs, cause })
}

const isAbout = (hidden: ReadonlySet<string>, path: string, message: string): boolean =>
  [...hidden].some(
    (name) =>
      path === `/${escapePointer(name)}` ||
      path.startsWith(`/${escapePointer(name)}/`) ||
      message.includes(`'${name}'`) ||
      message.includes(`"${name}"`),
  )

const byOperator: Problem = {
  path: '',
  keyword: 'override',
  message: 'lacks something that an operator sets for this tool and that does not fit it; tell them',
}
