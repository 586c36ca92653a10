import { z } from 'zod'
import { ruleApprovers, ruleClasses, ruleMemories } from '../policy/call-rules.js'
import { milliseconds, nonEmpty, toolPatterns } from './fields.js'

const condition = () => z.record(z.string(), z.unknown())

const approval = z.strictObject({
  by: z
    .array(z.enum(ruleApprovers))
    .min(1)
    .max(2)
    .optional()
    .meta({ description: 'Who may say yes. Default: an `operator`, who is not the caller', examples: [['operator']] }),
  withinMs: milliseconds(1000)
    .max(7 * 86_400_000)
    .optional()
    .meta({
      description: 'How long the question stays open, and a yes unused. Default: 15 minutes',
      examples: [900_000],
    }),
  remember: z
    .array(z.enum(ruleMemories))
    .min(1)
    .max(3)
    .optional()
    .meta({
      description: 'For how long a yes may hold: one call, some minutes, or until rule or tool change. Default: `once`',
      examples: [['once', 'minutes']],
    }),
  waitMs: milliseconds(0)
    .max(600_000)
    .optional()
    .meta({ description: 'How long a client that can wait is kept waiting. Default: 45 seconds', examples: [45_000] }),
  except: z
    .array(nonEmpty(256))
    .max(64)
    .optional()
    .meta({
      description: 'Arguments that may differ between the calls of one yes for some minutes',
      examples: [['note']],
    }),
})

const rule = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is not a legal id; use letters, digits, ., _ and -')
    .meta({ description: 'Its name in errors, records and the console', examples: ['no-prod-deletes'] }),
  tools: toolPatterns()
    .min(1)
    .optional()
    .meta({ description: 'Tools by id; `*` is any text. Absent: every tool', examples: [['k8s.*']] }),
  class: z
    .array(z.enum(ruleClasses))
    .min(1)
    .max(ruleClasses.length)
    .optional()
    .meta({ description: 'What they do, any of these. Absent: whatever they do', examples: [['destructive']] }),
  when: condition()
    .optional()
    .meta({
      description: 'JSON Schema that the arguments match, with `pathUnder`, `hostIn` and `maxBytes`',
      examples: [{ properties: { env: { const: 'prod' } }, required: ['env'] }],
    }),
  unless: condition()
    .optional()
    .meta({
      description: 'The same, that they do not match: the exceptions',
      examples: [{ properties: { dry_run: { const: true } }, required: ['dry_run'] }],
    }),
  callers: z
    .array(nonEmpty(256))
    .min(1)
    .max(1000)
    .optional()
    .meta({
      description: 'Names of keys, or ids of callers; `*` is any text. Absent: everybody',
      examples: [['ci-*']],
    }),
  effect: z.enum(['deny', 'ask']).meta({ description: 'Refused, or asked about first' }),
  reason: nonEmpty(500)
    .optional()
    .meta({ description: 'For whoever is refused, or asked', examples: ['Only the pipeline does this'] }),
  approval: approval.optional().meta({ description: 'What an `ask` demands' }),
})

/** Rules over what calls send; their conditions are compiled by `check-rules.ts`, where there are any. */
export const callRules = z.array(rule).max(1000)
