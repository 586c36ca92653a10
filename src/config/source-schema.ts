import { z } from 'zod'
import { environment, filePath, headers, milliseconds, nonEmpty, text, toolPatterns, url } from './fields.js'

/** 001-12: both times in milliseconds, at least one second. */
export const healthCheck = z.strictObject({
  interval: milliseconds(1000).describe('Milliseconds between two checks'),
  timeout: milliseconds(1000).describe('Milliseconds until a check counts as missed'),
})

// What every source may say. 002 and 001 require `namespace` and `enabled`; here both have a default.
const common = {
  namespace: nonEmpty(64).optional().describe("First part of its tools' ids. Default: the source's name, made legal"),
  enabled: z.boolean().default(true),
  description: text(4096).optional(),
  tags: z.array(nonEmpty(128)).max(256).default([]).describe('Given to all its tools'),
  timeoutMs: milliseconds().optional().describe('Time for one call'),
  startTimeoutMs: milliseconds().optional().describe('Time until it has answered for the first time'),
  healthCheck: healthCheck.optional(),
  startOnDemand: z.boolean().default(false).describe('Sleep until a tool is called; its known tools stay listed'),
  idleStopMs: milliseconds(1000).optional().describe('Stop after this long without a call'),
  includeTools: toolPatterns().optional().describe('Only these of its tools, by their own names; * is any text'),
  excludeTools: toolPatterns().default([]).describe('Never these of its tools, by their own names'),
}

const era = z.enum(['auto', 'legacy', 'modern']).default('auto').describe('Protocol era; auto asks the server')
const web = ['http', 'https']

const openApiAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: nonEmpty(8192) }),
  z.strictObject({ type: z.literal('header'), name: nonEmpty(256), value: nonEmpty(8192) }),
  z.strictObject({ type: z.literal('query'), name: nonEmpty(256), value: nonEmpty(8192) }),
])

/** The kinds of source that a file can name, each with its own keys beside the common ones. */
export const sourceSchemas = {
  stdio: z.strictObject({
    type: z.literal('stdio'),
    command: nonEmpty(4096).describe('Program to run, without arguments; no shell reads it'),
    // Linux takes at most 128 KiB per argument.
    args: z.array(text(131_071)).max(4096).default([]),
    env: environment().default({}).describe('Variables for the program, beside a minimal set'),
    cwd: filePath().optional(),
    era,
    ...common,
  }),
  http: z.strictObject({ type: z.literal('http'), url: url(web), headers: headers().default({}), era, ...common }),
  sse: z.strictObject({ type: z.literal('sse'), url: url(web), headers: headers().default({}), ...common }),
  websocket: z.strictObject({
    type: z.literal('websocket'),
    url: url(['ws', 'wss']),
    headers: headers().default({}),
    era,
    ...common,
  }),
  openapi: z.strictObject({
    type: z.literal('openapi'),
    spec: nonEmpty(8192).describe('Path or URL of an OpenAPI 3 document'),
    baseUrl: url(web).optional().describe('Where to send the calls, before what the document says'),
    headers: headers().default({}),
    auth: openApiAuth.optional().describe('How to sign in there'),
    includeTags: z.array(nonEmpty(128)).max(256).optional().describe('Only operations with one of these tags'),
    excludeTags: z.array(nonEmpty(128)).max(256).optional().describe('No operations with one of these tags'),
    allowPrivate: z.boolean().default(false).describe('Let the document name addresses of this machine or network'),
    ...common,
  }),
  catalog: z.strictObject({ type: z.literal('catalog'), path: filePath(), ...common }),
  embedded: z.strictObject({
    type: z.literal('embedded'),
    module: nonEmpty(4096).describe('Module that exports a factory: a path, or the name of a package'),
    config: z.record(z.string(), z.unknown()).default({}).describe('Handed to the factory'),
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
