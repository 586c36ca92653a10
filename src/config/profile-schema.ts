import { z } from 'zod'
import { longestFlowMs } from '../policy/flows.js'
import { secretModes } from '../secrets/mask.js'
import { secretRuleIds } from '../secrets/rules.js'
import { milliseconds, text, toolPatterns } from './fields.js'
import { toolOverrides } from './override-schema.js'
import { callRules } from './rule-schema.js'
import { profileScripts } from './script-schema.js'

/** Profile names are a part of URLs: `/mcp/<profile>`. */
export const profileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'is not a legal profile name; use letters, digits, _ and -')

const count = () => z.int().min(1).max(1_000_000_000)

const limits = z.strictObject({
  maxListBytes: count()
    .optional()
    .meta({ description: 'Bytes of the tools on one page of a list; more go on the next page', examples: [65_536] }),
  maxResultBytes: count()
    .optional()
    .meta({ description: 'Bytes of one result; a longer one is shaped, JSON stays JSON', examples: [20_000] }),
  callsPerMinute: count()
    .optional()
    .meta({ description: 'Calls that each caller may make in a minute; more are `RATE_LIMITED`', examples: [120] }),
  concurrency: count()
    .optional()
    .meta({ description: 'Calls that each caller may have running; more are `QUOTA_EXCEEDED`', examples: [8] }),
})

/** What may not be asked for after something else was (T22). */
const flow = z.strictObject({
  untrusted: toolPatterns()
    .min(1)
    .meta({
      description: 'What brings in words that anybody could have written',
      examples: [['web.*', 'mail.read_*']],
    }),
  private: toolPatterns()
    .optional()
    .meta({
      description: 'What gives away something private. Absent: words of strangers are enough',
      examples: [['files.*']],
    }),
  outward: toolPatterns()
    .min(1)
    .meta({
      description: 'What can carry something out: refused after the others',
      examples: [['mail.send_*', 'web.post']],
    }),
  forMs: milliseconds().default(longestFlowMs).meta({ description: 'How long a caller remembers what it read' }),
})

const secretMode = () => z.enum(secretModes)

/** What is done about credentials on their way through (T23). */
const secrets = z.strictObject({
  arguments: secretMode()
    .default('flag')
    .meta({
      description: 'In what goes to a source: arguments, params, answers to its questions',
      examples: ['block'],
    }),
  results: secretMode()
    .default('flag')
    .meta({
      description: 'In what comes back: results, errors, questions, progress and log messages',
      examples: ['mask'],
    }),
  allow: z
    .array(z.enum(secretRuleIds as [string, ...string[]]))
    .max(secretRuleIds.length)
    .default([])
    .meta({ description: 'Kinds that do not count, by id: [security.md](security.md#secrets)', examples: [['jwt']] }),
})

/** How much is kept of what its callers say and are told. */
const keptValues = z.strictObject({
  argumentBytes: z
    .int()
    .min(0)
    .max(1024 * 1024)
    .default(16 * 1024)
    .meta({ description: 'Bytes of the arguments of one call; longer ones are cut, and cannot be replayed' }),
  resultBytes: z
    .int()
    .min(0)
    .max(4 * 1024 * 1024)
    .default(64 * 1024)
    .meta({ description: 'Bytes of the result of one call; of a longer one the beginning is kept' }),
})

/** What the clients of one address see, under which names and with which limits. */
export const profile = z.strictObject({
  description: text(4096)
    .optional()
    .meta({ description: 'For people: who it is for', examples: ['What the support desk uses'] }),
  expose: z
    .enum(['auto', 'flat', 'search', 'hybrid'])
    .default('auto')
    .meta({
      description:
        'What a list shows: all tools (`flat`), only those that search the others (`search`), or pinned and often used ones and search (`hybrid`); `auto` is flat up to 40 tools and search beyond, as it is when a client lists for the first time',
      examples: ['hybrid'],
    }),
  allow: toolPatterns()
    .optional()
    .meta({
      description: 'Tools to show, by id; `*` is any text. Absent shows all, an empty list shows none',
      examples: [['github.*', 'docs.search']],
    }),
  deny: toolPatterns()
    .default([])
    .meta({
      description: "Tools never to show; wins over `allow`. The board's own tools only by their plain names",
      examples: [['*.delete_*']],
    }),
  readonly: toolPatterns()
    .default([])
    .meta({
      description:
        'Tools that change nothing, by your word: those that a `reader` may call. What a server says of itself adds none, and may take some away',
      examples: [['github.get_*']],
    }),
  pin: toolPatterns()
    .default([])
    .meta({ description: 'Tools that `hybrid` always lists', examples: [['github.create_issue']] }),
  hideDown: z.boolean().default(false).meta({
    description:
      'Whether what belongs to a source that is down leaves the lists. Else it stays, and a call is told the state and the next try',
  }),
  namespacing: z.boolean().optional().meta({
    description: "Whether names begin with their source's namespace. Default: `toolManager.namespaceEnabled`",
  }),
  names: z.enum(['exact', 'safe']).optional().meta({
    description:
      'How names are shown: `calc.add` (`exact`), or `calc__add` (`safe`), which every model takes; a call accepts both. Default: `safe`; `exact` with `services`',
  }),
  flow: flow.optional().meta({
    description:
      'What its callers may not do after they have read something: no way out for private things at the word of strangers',
  }),
  secrets: z
    .union([secretMode(), secrets])
    .default('flag')
    .meta({
      description:
        'What is done about credentials in arguments and results: nothing (`off`), told in records by kind and count (`flag`), taken out (`mask`), or refused (`block`); one word for both directions, or one for each',
      examples: [{ arguments: 'block', results: 'mask', allow: ['jwt'] }],
    }),
  overrides: toolOverrides()
    .default({})
    .meta({
      description: 'How tools are shown to its callers, by id, over what `overrides` says for everybody',
      examples: [{ 'github.create_issue': { enabled: false } }],
    }),
  rules: callRules.default([]).meta({
    description: 'Rules over what its callers send, beside those of everybody; see [Rules](rules.md)',
    examples: [[{ id: 'small', unless: { maxBytes: 4096 }, effect: 'deny' }]],
  }),
  scripts: profileScripts.default(false).meta({
    description:
      'Whether its models may run scripts over its tools, where `scripts.enabled` is on: `true`, or limits of its own and `tools`, which narrows what scripts may call',
    examples: [{ maxCalls: 1000, tools: ['*.list_*', '*.get_*'] }],
  }),
  keepValues: z
    .union([z.boolean(), keptValues])
    .default(false)
    .meta({
      description:
        'Whether the [history](history.md) keeps arguments and results of its calls, without what is found to be secret: `true`, or how much of each',
      examples: [{ argumentBytes: 4096, resultBytes: 16_384 }],
    }),
  limits: limits.prefault({}).meta({ description: 'What its callers may use up' }),
})
