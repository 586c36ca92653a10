import { splits } from '../../history/query.js'
import { faceNames, requestKinds } from '../../model/call.js'
import { choice, flag, integer, list, number, of, shape, text } from '../../operations/shape.js'
import { covered } from './whole-fleet.js'

/** Where the time went; the three are the whole latency. */
const timeSpent = shape({ waitingMs: number(), sourceMs: number(), ownMs: number() })

/** One call as it is kept: names, sizes and times. */
export const keptCall = shape(
  {
    /** A link with it finds the call until that is let go: `/console/history/ID`. */
    id: text(),
    at: integer(),
    kind: choice(requestKinds),
    tool: text(),
    caller: text(),
    profile: text(),
    face: choice(faceNames),
    ok: flag(),
    latencyMs: number(),
    spent: timeSpent,
    attempts: integer(),
    cached: flag(),
    /** Its arguments and its result were kept: it can be looked into, and made again. */
    hasValues: flag(),
  },
  {
    source: text(),
    /** For people to read. */
    callerName: text(),
    /** The program that asked, by its own word. */
    client: text(),
    clientVersion: text(),
    /** The revision of MCP that was spoken. */
    protocol: text(),
    code: text(),
    message: text(),
    /** The tool answered, and its answer says that it failed. */
    isError: of<true>({ const: true }),
    argumentBytes: integer(),
    resultBytes: integer(),
    argumentTokens: integer(),
    resultTokens: integer(),
    cost: number(),
    run: text(),
    step: integer(),
    script: shape({ sha256: text(), bytes: integer() }),
    rule: text(),
    grant: text(),
    /** Where it was made; only in a fleet. */
    replica: text(),
  },
)

/** What was kept of one side of a call: JSON, without what was found to be secret. */
const keptValue = shape(
  { value: of<unknown>({}), bytes: integer() },
  {
    /** It was longer than what is kept of one: `value` is the beginning of its text. */
    cut: of<true>({ const: true }),
    /** Something was taken out of it. */
    redacted: of<true>({ const: true }),
  },
)

export const historyAnswer = shape(
  {
    calls: list(keptCall),
    /** False where nothing is kept: `history: off`, or data in memory alone. */
    kept: flag(),
  },
  {
    /** Where to go on, as `cursor`; not there at the end. */
    next: text(),
    /** When the oldest call ended that is still kept. */
    oldest: integer(),
    covers: covered,
  },
)

/** `shown`; `none`: they were not kept; `withheld`: they are, and reading them needs the right `admin`. */
const valuesStates = ['shown', 'none', 'withheld'] as const

export const historyEntry = shape(
  { call: keptCall, values: choice(valuesStates) },
  { arguments: keptValue, result: keptValue },
)

const figures = {
  calls: integer(),
  errors: integer(),
  cached: integer(),
  /** Percentiles are right within two hundredths. */
  p50Ms: number(),
  p95Ms: number(),
  p99Ms: number(),
  maxMs: number(),
  meanMs: number(),
  /** Sums. */
  waitingMs: number(),
  sourceMs: number(),
  ownMs: number(),
  argumentBytes: integer(),
  resultBytes: integer(),
  argumentTokens: integer(),
  resultTokens: integer(),
  cost: number(),
}

export const callFigures = shape(figures)
/** `at` is where it begins. */
const statsPoint = shape({ at: integer(), ...figures })
const statsRow = shape({ name: text(), ...figures })

export const statsAnswer = shape(
  {
    kept: flag(),
    from: integer(),
    to: integer(),
    bucketMs: integer(),
    totals: callFigures,
    /** Oldest first; those without calls are not there. */
    series: list(statsPoint),
  },
  {
    by: choice(splits),
    /** With `by`: the most called first. */
    split: list(statsRow),
    /** What is behind the last row of the split, together. */
    rest: shape({ names: integer(), ...figures }),
    covers: covered,
    /** For another replica that asks: what can be added up, and by whom else it may be told. */
    counts: of<unknown>({}),
    folder: text(),
  },
)

/** `same`, `different`: it answered; `failed`: it did not, while the kept one did; `cannot`: see the reason; `unconfirmed`: nobody vouches that the tool only reads, so it asks for `confirm`. */
const verdicts = ['same', 'different', 'failed', 'cannot', 'unconfirmed'] as const

const difference = shape(
  {
    /** Where in the result, as a JSON Pointer; `""` is all of it. */
    at: text(),
    change: choice(['added', 'removed', 'changed']),
  },
  {
    /** The beginning of the JSON text; both only for readers with the right `admin`. */
    before: text(),
    after: text(),
  },
)

export const replayedCall = shape(
  { id: text(), verdict: choice(verdicts) },
  {
    tool: text(),
    /** Why it cannot be made again, or what went wrong. */
    reason: text(),
    code: text(),
    latencyMs: number(),
    /** How long it took then. */
    keptLatencyMs: number(),
    /** At most 50 of them. */
    differences: list(difference),
    /** There are more than those. */
    more: of<true>({ const: true }),
  },
)

export const replayAnswer = shape({ calls: list(replayedCall) })
