import { z } from 'zod'
import { headers, nonEmpty, url } from './fields.js'
import { healthCheck } from './health-check.js'

const service = {
  enabled: z.boolean(),
  namespace: z.string().min(1),
  healthCheck: healthCheck.optional(),
}
const remote = { url: url(['http', 'https']), headers: headers().optional() }

/** Document 001's own schema (001-12), which requires what ours has defaults for. */
export const mcpAgentConfigSchema = z.object({
  xiaozhi: z.object({
    endpoint: url(['ws', 'wss']),
    reconnect: z.object({
      initialBackoff: z.number().min(100).max(10_000),
      maxBackoff: z.number().min(1000).max(300_000),
    }),
  }),
  services: z.record(
    z.string(),
    z.discriminatedUnion('type', [
      z.object({
        ...service,
        type: z.literal('stdio'),
        command: nonEmpty(4096),
        args: z.array(z.string()),
        env: z.record(z.string(), z.string()).optional(),
        cwd: z.string().optional(),
      }),
      z.object({ ...service, type: z.literal('sse'), ...remote }),
      z.object({ ...service, type: z.literal('http'), ...remote }),
      z.object({
        ...service,
        type: z.literal('embedded'),
        module: nonEmpty(4096),
        config: z.record(z.string(), z.unknown()).optional(),
      }),
    ]),
  ),
  toolManager: z.object({
    maxToolListSize: z.number().min(1024),
    maxResultSize: z.number().min(256).max(10_240),
    namespaceEnabled: z.boolean(),
    namespaceSeparator: z.string().length(1),
    whitelist: z.array(z.string()),
    blacklist: z.array(z.string()),
  }),
  logging: z.object({
    level: z.enum(['debug', 'info', 'warn', 'error']),
    format: z.string(),
    file: z.string().optional(),
  }),
})

/** A configuration in document 001's own shape (001-06, 001-12). */
export type ValidatedConfig = z.output<typeof mcpAgentConfigSchema>
