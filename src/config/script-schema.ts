import { z } from 'zod'
import { toolPatterns } from './fields.js'

const timeoutMs = () =>
  z
    .int()
    .min(1)
    .max(600_000)
    .meta({ description: 'Milliseconds for a whole script, the calls of tools included', examples: [60_000] })
const cpuMs = () =>
  z
    .int()
    .min(10)
    .max(10_000)
    .meta({ description: 'Milliseconds that a script may compute, without waiting for tools', examples: [2000] })
const memoryMb = () =>
  z
    .int()
    .min(8)
    .max(256)
    .meta({ description: 'Megabytes of memory of a script', examples: [128] })
const maxCalls = () =>
  z
    .int()
    .min(1)
    .max(5000)
    .meta({ description: 'Calls of one script', examples: [1000] })
const parallel = () =>
  z
    .int()
    .min(1)
    .max(64)
    .meta({ description: 'Calls of one script at once; more of them wait', examples: [4] })
const maxResultBytes = () =>
  z
    .int()
    .min(256)
    .max(1024 ** 2)
    .meta({ description: 'Bytes of what a script returns, as JSON', examples: [65_536] })

/** Scripts of models over tools, for the whole board. */
export const scripts = z.strictObject({
  enabled: z.boolean().default(false).meta({
    description: 'Whether there are scripts at all; each profile that should have them says `scripts` too',
  }),
  timeoutMs: timeoutMs().default(30_000),
  cpuMs: cpuMs().default(1000),
  memoryMb: memoryMb().default(64),
  maxCalls: maxCalls().default(200),
  parallel: parallel().default(8),
  maxResultBytes: maxResultBytes().default(16_384),
  maxRunning: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .meta({ description: 'Scripts that run at once, each in a thread of its own; 32 more wait', examples: [8] }),
  learnShapes: z.boolean().default(true).meta({
    description:
      'Whether the shape of answers (keys and types, no values) is remembered and shown to models that write scripts',
  }),
})

/** What one profile says of them. */
export const profileScripts = z.union([
  z.boolean(),
  z.strictObject({
    timeoutMs: timeoutMs().optional(),
    cpuMs: cpuMs().optional(),
    memoryMb: memoryMb().optional(),
    maxCalls: maxCalls().optional(),
    parallel: parallel().optional(),
    maxResultBytes: maxResultBytes().optional(),
    tools: toolPatterns()
      .optional()
      .meta({
        description:
          'Tools that scripts may call, by id, of those that their caller may; `*` is any text. Absent: all of them',
        examples: [['*.list_*', '*.get_*']],
      }),
  }),
])
