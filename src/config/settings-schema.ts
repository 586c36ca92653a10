import { z } from 'zod'
import { calls } from './calls-schema.js'
import { filePath, milliseconds, nonEmpty, url, variable } from './fields.js'
import { profile, profileName } from './profile-schema.js'
import { recall } from './recall-schema.js'
import { server } from './server-schema.js'
import { toolManager, xiaozhi } from './xiaozhi-schema.js'

const noPostgres = 'PostgreSQL is not there yet; use "sqlite", which needs no server'

const storage = z.strictObject({
  backend: z
    .enum(['json', 'sqlite', 'memory'], {
      error: ({ input }) => (/^postgres(?:ql)?$/i.test(String(input)) ? noPostgres : undefined),
    })
    .default('json')
    .meta({
      description:
        'How data is kept: readable files (`json`), a database file for many thousand tools (`sqlite`), or not at all (`memory`)',
    }),
  path: filePath()
    .optional()
    .meta({ description: 'Folder of the data. Default: the data folder of this user', examples: ['./data'] }),
  onCorrupt: z.enum(['refuse', 'set-aside']).default('refuse').meta({
    description:
      'What to do with a damaged file: not start (`refuse`), or keep it as `<file>.corrupt-<time>` and begin empty (`set-aside`). Damaged keys always refuse',
  }),
})

const embedding = z
  .strictObject({
    provider: z
      .enum(['local', 'openai', 'transformers', 'off'])
      .default('local')
      .meta({
        description:
          'Who turns words into vectors: the model in this package (`local`), a service that speaks OpenAI’s API (`openai`), transformers.js where it is installed (`transformers`), nobody (`off`)',
        examples: ['openai'],
      }),
    url: url(['http', 'https'])
      .optional()
      .meta({ description: 'Address of the service; required for `openai`', examples: ['https://api.openai.com/v1'] }),
    model: nonEmpty(512)
      .optional()
      .meta({
        description: 'Its model; required for `openai` and `transformers`',
        examples: ['text-embedding-3-small'],
      }),
    apiKey: nonEmpty(4096)
      .optional()
      .meta({ description: 'Key for the service', examples: [variable('OPENAI_API_KEY')] }),
    timeoutMs: milliseconds()
      .optional()
      .meta({ description: 'Time for one request to the service. Default: 10000', examples: [5000] }),
  })
  .refine((value) => value.provider !== 'openai' || value.url !== undefined, {
    path: ['url'],
    message: 'is required for the openai provider; add the address of its API',
  })
  .refine((value) => !['openai', 'transformers'].includes(value.provider) || value.model !== undefined, {
    path: ['model'],
    message: 'is required for this provider; name the model it should use',
  })

const search = z.strictObject({
  method: z.enum(['auto', 'regex', 'bm25', 'embedding']).default('auto').meta({
    description: 'How tools are found where the caller does not say it; `auto` joins words and meaning',
  }),
  replyBytes: z
    .int()
    .min(1000)
    .max(10_000_000)
    .default(6000)
    .meta({ description: 'Bytes of one reply of `search_tools` and its companions; the rest is read on by `cursor`' }),
  algorithms: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'is not a legal name; use lower-case letters, digits, _ and -'),
      nonEmpty(4096),
    )
    .optional()
    .meta({
      description:
        'Methods of your own, by the name that callers use: a module, by path or package, that exports `{ index, search }`',
      examples: [{ newest: './newest-first.mjs' }],
    }),
  embedding: embedding.prefault({}).meta({ description: 'Search by meaning' }),
})

const auth = z.strictObject({
  required: z
    .boolean()
    .default(false)
    .meta({ description: 'Ask every caller over HTTP for a key (`pegboard key create`)' }),
  apiKey: nonEmpty(4096)
    .optional()
    .meta({
      description: 'Key of a caller who cannot send one, as over stdio',
      examples: [variable('PEGBOARD_API_KEY')],
    }),
})

const telemetry = z.strictObject({
  audit: z
    .enum(['off', 'on', 'values'])
    .default('on')
    .meta({ description: 'The audit trail in the data folder; `values` keeps argument values too' }),
  otel: z
    .boolean()
    .default(false)
    .meta({ description: 'OpenTelemetry traces, where `@opentelemetry/api` is installed' }),
})

/** Calls that wait until their callers answer a question of the tool. What goes past a bound is refused as OVERLOADED. */
const parking = z.strictObject({
  most: z
    .int()
    .min(0)
    .max(10_000)
    .default(128)
    .meta({ description: 'Waiting calls, over all callers; 0 lets none wait' }),
  mostPerCaller: z.int().min(0).max(10_000).default(32).meta({ description: 'Waiting calls of one caller' }),
  maxBytes: z
    .int()
    .min(1024)
    .max(1024 ** 3)
    .default(8 * 1024 * 1024)
    .meta({ description: 'Bytes of the open questions, over all callers' }),
  waitMs: z
    .int()
    .min(1000)
    .max(86_400_000)
    .default(300_000)
    .meta({ description: 'How long a question waits for its answer' }),
  longestMs: z
    .int()
    .min(1000)
    .max(86_400_000)
    .default(1_800_000)
    .meta({ description: 'How long a call may last with all its questions' }),
})

const stdio = z.strictObject({
  share: z.boolean().default(false).meta({
    description:
      'Where no gateway runs, `pegboard stdio` starts one in the background that all clients of this user share, instead of serving by itself',
  }),
  idleExitMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(300_000)
    .meta({ description: 'How long such a gateway stays after its last client has left' }),
})

/** 001-12 takes any word as format; one that we do not know is the line format of 001-16. */
const logging = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .meta({ description: 'The least that is logged, on standard error' }),
  format: z
    .string()
    .max(256)
    .default('line')
    .transform((word): 'line' | 'json' => (word.toLowerCase() === 'json' ? 'json' : 'line'))
    .meta({ description: '`line` for people, `json` for programs' }),
  file: filePath()
    .optional()
    .meta({ description: 'A file that is logged into too', examples: ['./pegboard.log'] }),
})

/** Everything but the sources, each key with its meaning, its default and, where words do not do, an example. */
export const settingsSchema = z.strictObject({
  profiles: z
    .record(profileName, profile)
    .default({})
    .meta({ description: 'What clients see, by name: `/mcp` serves `default`, `/mcp/NAME` the others' }),
  server: server.prefault({}).meta({ description: 'Where and to whom HTTP is served' }),
  calls: calls
    .prefault({})
    .meta({ description: 'How calls are carried: their time, retries, and what the machine can bear' }),
  storage: storage.prefault({}).meta({ description: 'What survives a restart' }),
  search: search.prefault({}).meta({ description: 'How tools are found' }),
  auth: auth.prefault({}).meta({ description: 'Who may come in' }),
  recall: recall.prefault({}).meta({ description: 'The routes of action recall' }),
  telemetry: telemetry.prefault({}).meta({ description: 'What is written down about calls' }),
  parking: parking.prefault({}).meta({
    description: 'Bounds of calls that wait until their callers answer a question; more are `OVERLOADED`',
  }),
  stdio: stdio.prefault({}).meta({ description: 'Clients that start `pegboard stdio`' }),
  xiaozhi: xiaozhi.prefault({}).meta({ description: 'Voice devices that the board dials out to' }),
  toolManager: toolManager.prefault({}).meta({
    description: 'Limits and lists of the xiaozhi MCP Agent format; the lists bind every profile',
  }),
  logging: logging.prefault({}).meta({ description: 'What is logged, and how' }),
})
