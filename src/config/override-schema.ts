import { z } from 'zod'
import { milliseconds, nonEmpty, text } from './fields.js'
import { variable } from './settings/kinds-of-value.js'

const bound = () => z.number().optional()
const size = () => z.int().min(0).max(1_000_000_000).optional()
const places = () => z.array(nonEmpty(1000).regex(/^\//, 'is no JSON Pointer: it begins with /')).max(256).optional()

const narrowing = {
  type: z.union([nonEmpty(16), z.array(nonEmpty(16)).max(7)]).optional(),
  enum: z.array(z.unknown()).min(1).max(1000).optional(),
  const: z.unknown().optional(),
  pattern: text(4096).optional(),
  format: text(64).optional(),
  minLength: size(),
  maxLength: size(),
  minimum: bound(),
  maximum: bound(),
  exclusiveMinimum: bound(),
  exclusiveMaximum: bound(),
  multipleOf: z.number().positive().optional(),
  minItems: size(),
  maxItems: size(),
  uniqueItems: z.boolean().optional(),
}

/** One argument. Beside these keys, those of JSON Schema that narrow it. */
const argument = z.strictObject({
  set: z
    .unknown()
    .optional()
    .meta({
      description:
        'Always sent, and hidden from callers. `$caller.id`, `$caller.profile`, `$run`, `$now` and `$uuid` are filled in by each call',
      examples: [variable('GITHUB_TOKEN')],
    }),
  default: z
    .unknown()
    .optional()
    .meta({ description: 'Sent where the caller says nothing; shown', examples: ['web'] }),
  hide: z.boolean().optional().meta({ description: 'Hidden and never sent; not for what upstream requires' }),
  description: text(16_384)
    .optional()
    .meta({ description: 'In the place of what upstream says of it', examples: ['Markdown'] }),
  required: z.literal(true).optional().meta({ description: 'Callers must give it' }),
  secret: z.boolean().optional().meta({
    description:
      'What is set is nobody’s to see. Default: true where it comes from a variable, a file, a command or a keychain',
  }),
  ...narrowing,
})

const result = z.strictObject({
  pick: places().meta({
    description: 'Only these places of a result are handed on: JSON Pointers, `*` for every element',
    examples: [['/number', '/labels/*/name']],
  }),
  drop: places().meta({ description: 'These are left out', examples: [['/body']] }),
  redact: places().meta({
    description: 'What stands there is blotted out. Text that is no JSON then goes as a whole',
    examples: [['/user/email']],
  }),
  maxBytes: z
    .int()
    .min(64)
    .max(1_000_000_000)
    .optional()
    .meta({ description: 'Bytes of one result; a longer one is shaped, JSON stays JSON', examples: [20_000] }),
  cacheMs: milliseconds()
    .optional()
    .meta({
      description:
        'How long an answer is good for the same caller, profile and arguments; only of tools that are read-only by their own word or yours',
      examples: [60_000],
    }),
})

/** How one tool is shown; whatever is left out is as its source says. */
const toolOverride = z.strictObject({
  enabled: z.boolean().optional().meta({ description: '`false`: nobody sees or calls it' }),
  name: nonEmpty(256)
    .optional()
    .meta({ description: 'Its name behind the namespace; the old one is then unknown', examples: ['file_bug'] }),
  title: text(1024)
    .optional()
    .meta({ description: 'For people', examples: ['File a bug'] }),
  description: text(65_536)
    .optional()
    .meta({ description: 'What models read', examples: ['Files a bug in our tracker.'] }),
  annotations: z
    .strictObject({
      title: text(1024).optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional()
    .meta({ description: 'What it does, by your word', examples: [{ destructiveHint: false }] }),
  tags: z
    .array(nonEmpty(128))
    .max(256)
    .optional()
    .meta({ description: 'In the place of its own', examples: [['tracker']] }),
  arguments: z.record(nonEmpty(256), argument).optional().meta({ description: 'By parameter' }),
  result: result.optional().meta({ description: 'What is handed on of its results' }),
})

/** By the id of a tool, or under a source by its own name. */
export const toolOverrides = () => z.record(nonEmpty(512), toolOverride)

export type OverrideConfig = z.output<typeof toolOverride>
