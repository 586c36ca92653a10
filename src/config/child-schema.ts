import { z } from 'zod'
import { networkProblem } from '../sources/stdio/leash/allow-list.js'
import { sandboxKinds } from '../sources/stdio/leash/guards.js'
import { filePath, milliseconds, nonEmpty } from './fields.js'

const sizeForm = /^(?:none|\d{1,12}(?:\.\d{1,3})?\s*(?:[kmgt]i?b?|b)?)$/i

const size = () =>
  z.union([z.int().min(1), z.string().regex(sizeForm, 'must be a size such as "512mb", or "none"')], {
    error: 'expected a size such as "512mb", or "none"',
  })
const amount = (least: number, most: number) =>
  z.union([z.int().min(least).max(most), z.literal('none')], { error: 'expected a whole number, or "none"' })

/** What a child process may use. `"none"` lifts what `children.limits` says for all. */
export const childLimits = z.strictObject({
  memory: size()
    .optional()
    .meta({
      description: 'Memory of the whole source, helpers included: bytes, or as in `512mb`',
      examples: ['512mb'],
    }),
  cpuSeconds: amount(1, 2_000_000_000)
    .optional()
    .meta({ description: 'Processor time until it is ended, of all its processes together', examples: [3600] }),
  cpus: z
    .union([z.number().min(0.01).max(1024), z.literal('none')], { error: 'expected a number such as 0.5, or "none"' })
    .optional()
    .meta({ description: 'Processors it may keep busy; needs cgroup v2 or a container', examples: [0.5] }),
  openFiles: amount(16, 1_048_576)
    .optional()
    .meta({ description: 'Open files of each of its processes', examples: [256] }),
  processes: amount(1, 1_048_576)
    .optional()
    .meta({
      description:
        'Processes and threads together, as cgroups and containers count them: a Node server has about 11, twice that behind npx',
      examples: [64],
    }),
  fileSize: size()
    .optional()
    .meta({ description: 'The largest file that it may write', examples: ['100mb'] }),
  niceness: z
    .int()
    .min(0)
    .max(19)
    .optional()
    .meta({ description: 'How far it stands back where processors are short: 0 to 19', examples: [10] }),
})

const mount = z.strictObject({
  path: filePath().meta({ description: 'A folder or file of this machine, seen inside under the same path' }),
  write: z.boolean().default(false).meta({ description: 'Whether it may be changed' }),
})

const network = z
  .union(
    [
      z.enum(['none', 'open']),
      z.strictObject({
        allow: z
          .array(
            nonEmpty(300).superRefine((entry, context) => {
              const message = networkProblem(entry)
              if (message) context.addIssue({ code: 'custom', message })
            }),
          )
          .max(256)
          .meta({ description: '`host:port`; `*.example.com:443` is every name below' }),
      }),
    ],
    { error: 'expected "none", "open" or { "allow": ["api.example.com:443"] }' },
  )
  .default('none')
  .meta({ description: 'What it may reach: nothing, everything, or by a proxy of ours what `allow` names' })

const box = z
  .strictObject({
    kind: z.enum(sandboxKinds).meta({ description: 'What puts it into a box of its own' }),
    network,
    mounts: z
      .array(mount)
      .max(64)
      .default([])
      .meta({ description: 'What it sees of this machine besides the system', examples: [[{ path: './notes' }]] }),
    image: nonEmpty(512)
      .optional()
      .meta({ description: 'The image of a container; with its digest it stays the same', examples: ['node:22-slim'] }),
  })
  .superRefine((value, context) => {
    const container = value.kind === 'docker' || value.kind === 'podman'
    const wrong = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if (container && value.image === undefined)
      wrong('image', `is required for ${value.kind}; add one, as "node:22-slim"`)
    if (!container && value.image !== undefined) wrong('image', `has no meaning for ${value.kind}; remove it`)
    if (container && typeof value.network === 'object')
      wrong('network', `a list needs "kind": "bubblewrap"; for ${value.kind} write "none" or "open"`)
  })

/** How a child process is kept apart: a word, or an object with its details. */
export const childSandbox = z.union([z.enum(sandboxKinds), box], {
  error: `expected one of ${sandboxKinds.map((kind) => `"${kind}"`).join(', ')}, or an object with "kind"`,
})

export const downloadTimeoutMs = milliseconds()
  .optional()
  .meta({
    description:
      'Time for npx, uvx and the like to download what they run, which `startTimeoutMs` does not count. Default: 300000',
    examples: [600_000],
  })
