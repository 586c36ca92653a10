import { z } from 'zod'
import { filePath, milliseconds, nonEmpty, text, toolPatterns, url } from './fields.js'

/** Profile names are a part of URLs: `/mcp/<profile>`. */
export const profileName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'is not a legal profile name; use letters, digits, _ and -')

const count = () => z.int().min(1).max(1_000_000_000)

const limits = z.strictObject({
  maxListBytes: count().optional(),
  maxResultBytes: count().optional(),
  callsPerMinute: count().optional(),
  concurrency: count().optional(),
})

const profile = z.strictObject({
  description: text(4096).optional(),
  // `auto`: flat up to 40 tools, search beyond.
  expose: z.enum(['auto', 'flat', 'search', 'hybrid']).default('auto'),
  allow: toolPatterns().optional().describe('Tools to show; absent shows all, an empty list shows none'),
  deny: toolPatterns().default([]).describe('Tools never to show; wins over allow'),
  pin: toolPatterns().default([]).describe('Tools that hybrid always lists'),
  namespacing: z.boolean().optional().describe('Default: toolManager.namespaceEnabled'),
  names: z
    .enum(['exact', 'safe'])
    .optional()
    .describe(
      'How names are shown: calc.add, or calc__add, which every model takes. Default: safe; exact with `services`',
    ),
  limits: limits.prefault({}),
})

// A page at such an origin may call us, so a wildcard would be every page.
const origin = z.string().refine((value) => {
  if (!URL.canParse(value)) return false
  const parsed = new URL(value)
  return parsed.origin === value.replace(/\/$/, '') || (parsed.origin === 'null' && !value.includes('*'))
}, 'must be an origin such as https://app.example.com')

const server = z.strictObject({
  transport: z.enum(['stdio', 'http']).optional().describe('Default: what the command says'),
  host: nonEmpty(255).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8000),
  path: z
    .string()
    .max(256)
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must start with / and hold letters, digits and . _ ~ - / only')
    .refine((value) => value === '/' || !/\/\.{0,2}(?:\/|$)/.test(value), 'must not hold empty, . or .. parts')
    .default('/mcp'),
  token: z
    .string()
    .min(16)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .describe('A bearer token that every caller must send'),
  trustedHosts: z.array(nonEmpty(255)).max(256).default([]).describe('Host headers to accept beside our own'),
  allowedOrigins: z.array(origin).max(256).default([]).describe('Web pages that may call us'),
  instructions: text(65_536).optional().describe('What the server tells clients about itself'),
})

const storage = z
  .strictObject({
    backend: z.enum(['json', 'sqlite', 'postgres', 'memory']).default('json'),
    path: filePath().optional().describe('Folder of the data. Default: the data folder of this user'),
    url: z
      .string()
      .max(8192)
      .regex(/^postgres(?:ql)?:\/\/\S+$/, 'must start with postgres://')
      .optional(),
  })
  .refine((value) => value.backend !== 'postgres' || value.url !== undefined, {
    path: ['url'],
    message: 'is required for the postgres backend; add it, as in postgres://user@host/database',
  })

const embedding = z
  .strictObject({
    provider: z.enum(['local', 'openai', 'transformers', 'off']).default('local'),
    url: url(['http', 'https']).optional(),
    model: nonEmpty(512).optional(),
    apiKey: nonEmpty(4096).optional(),
    timeoutMs: milliseconds().optional(),
  })
  .refine((value) => value.provider !== 'openai' || value.url !== undefined, {
    path: ['url'],
    message: 'is required for the openai provider; add the address of its API',
  })

const recalledAction = z.strictObject({
  kn_id: nonEmpty(512),
  at_id: nonEmpty(512),
  // Loose and of any type: what a type cannot do is answered when it is asked for (004 test 9), not here.
  action_source: z
    .looseObject({ type: nonEmpty(64) })
    .nullable()
    .default(null),
  actions: z.array(z.looseObject({ parameters: z.record(z.string(), z.unknown()).default({}) })).default([]),
})

const service = z.strictObject({ url: url(['http', 'https']) })

/** Document 004. Without the addresses of its two services our own board and the actions below answer for them. */
const recall = z.strictObject({
  actions: z.array(recalledAction).max(100_000).default([]),
  knowledge: service.optional().describe('A real knowledge-network service'),
  operators: service.optional().describe('A real operator-integration service'),
  apiUrl: url(['http', 'https']).optional().describe('Under which agents reach us; default: where we listen'),
  async: z.boolean().default(false).describe('Answer with the newer asynchronous form'),
  gatewayTimeout: z.boolean().default(false).describe('504 instead of 502 when time is up'),
  schemas: z.enum(['as-004', 'complete']).default('as-004').describe('How input schemas are converted'),
})

const telemetry = z.strictObject({
  audit: z.enum(['off', 'on', 'values']).default('on').describe('The audit trail; `values` keeps argument values too'),
  otel: z.boolean().default(false).describe('OpenTelemetry traces, where @opentelemetry/api is installed'),
})

/** Calls that wait until their callers answer a question of the tool. What goes past a bound is refused as OVERLOADED. */
const parking = z.strictObject({
  most: z.int().min(0).max(10_000).default(128).describe('Waiting calls, over all callers; 0 lets none wait'),
  mostPerCaller: z.int().min(0).max(10_000).default(32).describe('Waiting calls of one caller'),
  maxBytes: z
    .int()
    .min(1024)
    .max(1024 ** 3)
    .default(8 * 1024 * 1024)
    .describe('Bytes of the open questions, over all callers'),
  waitMs: z.int().min(1000).max(86_400_000).default(300_000).describe('How long a question waits for its answer'),
  longestMs: z.int().min(1000).max(86_400_000).default(1_800_000).describe('How long a call may last with all of them'),
})

/** 001-12, with the defaults of 001-24. */
export const reconnect = z.strictObject({
  initialBackoff: z.int().min(100).max(10_000).default(1000),
  maxBackoff: z.int().min(1000).max(300_000).default(60_000),
})

const resultSize = () => z.int().min(256).max(10_240)
const listSize = () => z.int().min(1024).max(1_000_000_000)

export const endpoint = z.strictObject({
  url: url(['ws', 'wss']).describe(`Holds the token: better written as \${MCP_ENDPOINT}`),
  profile: profileName.default('default'),
  maxResultSize: resultSize().optional().describe('Default: toolManager.maxResultSize'),
  maxToolListSize: listSize().optional().describe('Default: toolManager.maxToolListSize'),
})

const xiaozhi = z.strictObject({
  endpoints: z.array(endpoint).max(100).default([]),
  reconnect: reconnect.prefault({}),
})

/** 001-12, with the defaults of 001-24. Both lists bind every profile; an empty whitelist is no whitelist. */
export const toolManager = z.strictObject({
  maxToolListSize: listSize().default(10_240),
  maxResultSize: resultSize().default(1024),
  namespaceEnabled: z.boolean().default(true),
  namespaceSeparator: z
    .string()
    .length(1)
    .regex(/^[^\p{L}\p{N}\p{C}\s*?"'`\\]$/u, 'must be one character that is no letter, digit, space, quote or wildcard')
    .default('.'),
  whitelist: toolPatterns().default([]),
  blacklist: toolPatterns().default([]),
})

/** 001-12 takes any word as format; one that we do not know is the line format of 001-16. */
export const logging = z.strictObject({
  level: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  format: z
    .string()
    .max(256)
    .default('line')
    .transform((word): 'line' | 'json' => (word.toLowerCase() === 'json' ? 'json' : 'line')),
  file: filePath().optional(),
})

/** Everything but the sources, each key with its defaults. */
export const settingsSchema = z.strictObject({
  profiles: z.record(profileName, profile).default({}),
  server: server.prefault({}),
  storage: storage.prefault({}),
  search: z
    .strictObject({
      method: z.enum(['auto', 'regex', 'bm25', 'embedding']).default('auto'),
      embedding: embedding.prefault({}),
    })
    .prefault({}),
  auth: z
    .strictObject({
      required: z.boolean().default(false).describe('Ask callers over HTTP for a key'),
      apiKey: nonEmpty(4096).optional().describe('Key of a caller who cannot send one, as over stdio'),
    })
    .prefault({}),
  recall: recall.prefault({}),
  telemetry: telemetry.prefault({}),
  parking: parking.prefault({}),
  xiaozhi: xiaozhi.prefault({}),
  toolManager: toolManager.prefault({}),
  logging: logging.prefault({}),
})

/** What a file may write as `xiaozhi`: 001's one `endpoint`, or several. */
export const xiaozhiFileSchema = xiaozhi.extend({ endpoint: url(['ws', 'wss']).optional() })
