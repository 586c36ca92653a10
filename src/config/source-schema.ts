import { z } from 'zod'
import { openApiAuth, sourceAuth } from './auth-schema.js'
import { childLimits, childSandbox, downloadTimeoutMs } from './child-schema.js'
import { environment, filePath, headers, milliseconds, nonEmpty, text, toolPatterns, url } from './fields.js'
import { isolation } from './isolation-schema.js'
import { lifecycle } from './lifecycle-schema.js'
import { toolOverrides } from './override-schema.js'
import { registryOrigin } from './registry-schema.js'
import { variable } from './settings/kinds-of-value.js'
import { storedScripts } from './stored-script-schema.js'

// What every source may say. 002 and 001 require `namespace` and `enabled`; here both have a default.
const common = {
  namespace: nonEmpty(64)
    .optional()
    .meta({
      description: "First part of its tools' ids. Default: the source's name, made legal",
      examples: ['gh'],
    }),
  enabled: z.boolean().default(true).meta({ description: '`false` leaves it out' }),
  description: text(4096)
    .optional()
    .meta({ description: 'For people: what it is', examples: ['Issues and pull requests'] }),
  tags: z
    .array(nonEmpty(128))
    .max(256)
    .default([])
    .meta({ description: 'Given to all its tools', examples: [['work']] }),
  timeoutMs: milliseconds()
    .optional()
    .meta({ description: 'Time for one call. Default: 30000', examples: [60_000] }),
  includeTools: toolPatterns()
    .optional()
    .meta({ description: 'Only these of its tools, by their own names; `*` is any text', examples: [['create_*']] }),
  excludeTools: toolPatterns()
    .default([])
    .meta({ description: 'Never these of its tools, by their own names', examples: [['delete_*']] }),
  onChange: z.enum(['hold', 'note']).default('hold').meta({
    description:
      'When one of its tools says or takes something new: `hold` it back until somebody approves it, or only `note` it. See [Security](security.md)',
  }),
  newTools: z
    .enum(['hold', 'note'])
    .optional()
    .meta({
      description:
        'When it shows a tool, prompt, template or words that were not in its first report: `hold` them back until somebody approves them, or only `note` them. Default: `hold` for remote servers and for packages without an exact version, `note` for what is pinned or of this machine. See [Security](security.md)',
      examples: ['hold'],
    }),
  scan: z.enum(['hold', 'note', 'off']).default('hold').meta({
    description:
      'When the scanner finds something grave in its words: `hold` them back until somebody approves them, also in the first report; `note` shows the finding only; `off` does not look. See [Security](security.md)',
  }),
  annotations: z.enum(['hint', 'trust']).default('hint').meta({
    description:
      'Whether its own word (`readOnlyHint`) makes a tool read-only: `trust` is for servers that you run yourself. A word of warning (`destructiveHint`) always counts',
  }),
  overrides: toolOverrides()
    .optional()
    .meta({
      description: 'How its tools are shown otherwise than it does, by their own names. See [Overrides](overrides.md)',
      examples: [{ create_issue: { name: 'file_bug' } }],
    }),
  registry: registryOrigin,
  hosting: z
    .enum(['one', 'each', 'caller'])
    .optional()
    .meta({
      description:
        'In a fleet: `one` replica runs it for all, `each` runs its own, or the `caller` decides which. Default: `one` for commands, `caller` for servers that keep sessions, else `each`. See [Fleet](fleet.md)',
      examples: ['each'],
    }),
  whenCutOff: z.enum(['keep', 'stop']).default('keep').meta({
    description:
      'In a fleet, when the replica that runs it loses the database: `keep` it running, though another may start it too, or `stop` it before that',
  }),
  ...lifecycle,
}

const era = z
  .enum(['auto', 'legacy', 'modern'])
  .default('auto')
  .meta({ description: 'Protocol era; `auto` asks the server' })
const web = ['http', 'https']

const address = (schemes: readonly string[], example: string) =>
  url(schemes).meta({ description: 'Its address', examples: [example] })
const sentHeaders = () =>
  headers()
    .default({})
    .meta({
      description:
        "Sent with every request; nothing of a caller's own credentials ever is. Who calls may be named there: `caller.id`, `caller.sub`, `caller.name`, `caller.email` or `caller.groups`, in braces after a dollar sign; calls of whom nobody vouches for are then refused",
      examples: [{ Authorization: `Bearer ${variable('DOCS_TOKEN')}` }],
    })
const operationTags = (description: string, example: string) =>
  z
    .array(nonEmpty(128))
    .max(256)
    .optional()
    .meta({ description, examples: [[example]] })
const asserted = () =>
  z
    .boolean()
    .optional()
    .meta({
      description:
        'Tells the server who calls: a token of the gateway, good for a minute, in the header `X-Pegboard-Assertion`; its keys are at `/.well-known/jwks.json`. Default: `false`',
      examples: [true],
    })
const signIn = () =>
  sourceAuth.optional().meta({
    description: 'How to sign in there. Default: OAuth, once the server asks for it; see [Security](security.md)',
    examples: [{ type: 'oauth', scopes: ['read'] }],
  })

const kind = <Word extends string>(word: Word) =>
  z.literal(word).meta({ description: 'What kind it is; may be left out where other keys say it' })

/** The kinds of source that a file can name, each with its own keys beside the common ones. */
export const sourceSchemas = {
  stdio: z.strictObject({
    type: kind('stdio'),
    command: nonEmpty(4096).meta({
      description: 'Program to run, without arguments; no shell reads it',
      examples: ['npx'],
    }),
    downloadTimeoutMs,
    // Linux takes at most 128 KiB per argument.
    args: z
      .array(text(131_071))
      .max(4096)
      .default([])
      .meta({ description: 'Its arguments', examples: [['-y', '@modelcontextprotocol/server-github']] }),
    env: environment()
      .default({})
      .meta({
        description: 'Variables for the program, beside a minimal set',
        examples: [{ GITHUB_TOKEN: variable('GITHUB_TOKEN') }],
      }),
    cwd: filePath()
      .optional()
      .meta({ description: 'Where it runs. Default: where the gateway was started', examples: ['./workspace'] }),
    limits: childLimits.optional().meta({
      description:
        'What its processes may use, before what `children.limits` says for all. See [Security](security.md#children-on-a-leash)',
      examples: [{ memory: '512mb', processes: 64 }],
    }),
    sandbox: childSandbox.optional().meta({
      description:
        'The box it runs in: `none`, `bubblewrap`, `docker` or `podman`, or an object with `kind`, `network`, `mounts` and `image`. Default: `children.sandbox`',
      examples: [{ kind: 'bubblewrap', mounts: [{ path: './notes', write: true }] }],
    }),
    ...isolation,
    era,
    ...common,
  }),
  http: z.strictObject({
    type: kind('http'),
    url: address(web, 'https://example.com/mcp'),
    headers: sentHeaders(),
    auth: signIn(),
    assert: asserted(),
    era,
    ...common,
  }),
  sse: z.strictObject({
    type: kind('sse'),
    url: address(web, 'https://example.com/sse'),
    headers: sentHeaders(),
    auth: signIn(),
    assert: asserted(),
    ...common,
  }),
  websocket: z.strictObject({
    type: kind('websocket'),
    url: address(['ws', 'wss'], 'wss://example.com/mcp'),
    headers: sentHeaders(),
    auth: signIn(),
    assert: asserted(),
    era,
    ...common,
  }),
  openapi: z.strictObject({
    type: kind('openapi'),
    spec: nonEmpty(8192).meta({ description: 'Path or URL of an OpenAPI 3 document', examples: ['./shop.yaml'] }),
    baseUrl: url(web)
      .optional()
      .meta({
        description: 'Where to send the calls, before what the document says',
        examples: ['http://127.0.0.1:9000'],
      }),
    headers: sentHeaders(),
    auth: openApiAuth.optional().meta({
      description:
        'How to sign in there: `bearer` with `token`, or `header` or `query` with `name` and `value`; or as each caller for themselves, as for `http`',
      examples: [{ type: 'bearer', token: variable('SHOP_TOKEN') }],
    }),
    assert: asserted(),
    includeTags: operationTags('Only operations with one of these tags', 'orders'),
    excludeTags: operationTags('No operations with one of these tags', 'internal'),
    allowPrivate: z
      .boolean()
      .default(false)
      .meta({ description: 'Let the document name addresses of this machine or network' }),
    ...common,
  }),
  catalog: z.strictObject({
    type: kind('catalog'),
    path: filePath().meta({
      description:
        'A JSON file of definitions, or a `tools.db` of RegistryTools; its tools are listed and found, not called',
      examples: ['./tools.json'],
    }),
    ...common,
  }),
  embedded: z.strictObject({
    type: kind('embedded'),
    module: nonEmpty(4096).meta({
      description: 'Module that exports a factory: a path, or the name of a package',
      examples: ['./my-tools.mjs'],
    }),
    config: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Handed to the factory', examples: [{ unit: 'celsius' }] }),
    ...common,
  }),
  scripts: z.strictObject({
    type: kind('scripts'),
    scripts: storedScripts(),
    folder: filePath()
      .optional()
      .meta({ description: 'Each `*.js` in it is a tool too: it begins with its definition', examples: ['./scripts'] }),
    ...common,
  }),
} as const

export type SourceType = keyof typeof sourceSchemas
export const sourceTypes = Object.keys(sourceSchemas) as readonly SourceType[]

/** The names that other programs give to these kinds. */
export const typeAliases: Readonly<Record<string, SourceType>> = {
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  'http-stream': 'http',
  https: 'http',
  ws: 'websocket',
  local: 'stdio',
  remote: 'http',
  module: 'embedded',
}

/** The kind that a word means, whatever its case. */
export const toSourceType = (word: string): SourceType | undefined => {
  const folded = word.trim().toLowerCase()
  const alias = Object.hasOwn(typeAliases, folded) ? typeAliases[folded] : undefined
  return alias ?? sourceTypes.find((type) => type === folded)
}
