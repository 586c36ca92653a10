import { z } from 'zod'

/** Whether a command runs once, or once for each who uses it. */
export const isolation = {
  isolation: z.enum(['shared', 'caller', 'session']).default('shared').meta({
    description:
      'Whose its process is: `shared` by everybody, one for each `caller`, or one for each client `session`, for servers that remember what was done, such as browsers; then each ends after `idleStopMs` without a call (default 300000). See [Isolation](isolation.md)',
  }),
  maxProcesses: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({
      description: 'With `isolation`: so many processes at once, the spare included. Default: 8',
      examples: [16],
    }),
  spare: z
    .int()
    .min(0)
    .max(1)
    .optional()
    .meta({
      description: 'With `isolation`: whether one is started ahead of whoever comes next. Default: 1',
      examples: [0],
    }),
}
