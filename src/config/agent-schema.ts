import { createRequire } from 'node:module'
import type { z as Zod } from 'zod'
import { whenUsed } from './when-used.js'

const build = (z: typeof Zod) => {
  const service = {
    enabled: z.boolean(),
    namespace: z.string().min(1),
    healthCheck: z.object({ interval: z.number().min(1000), timeout: z.number().min(1000) }).optional(),
  }
  const remote = {
    url: z.url({ protocol: /^https?$/ }),
    headers: z.record(z.string(), z.string()).optional(),
  }
  return z.object({
    xiaozhi: z.object({
      endpoint: z.url({ protocol: /^wss?$/ }),
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
          command: z.string().min(1),
          args: z.array(z.string()),
          env: z.record(z.string(), z.string()).optional(),
          cwd: z.string().optional(),
        }),
        z.object({ ...service, type: z.literal('sse'), ...remote }),
        z.object({ ...service, type: z.literal('http'), ...remote }),
        z.object({
          ...service,
          type: z.literal('embedded'),
          module: z.string().min(1),
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
}

type AgentSchema = ReturnType<typeof build>

/** Document 001's own schema (001-12), which requires what ours has defaults for. */
export const mcpAgentConfigSchema: AgentSchema = whenUsed(() => {
  const { z } = createRequire(import.meta.url)('zod') as { readonly z: typeof Zod }
  return build(z)
})

/** A configuration in document 001's own shape (001-06, 001-12). */
export type ValidatedConfig = Zod.output<AgentSchema>
