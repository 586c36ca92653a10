import { isUtf8 } from 'node:buffer'
import { messageOf } from '../errors.js'
import { scanJson } from '../mcp/scan.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { createSchemas, formatProblems } from '../schema/schemas.js'
import { quoted, refused } from './refusal.js'

export const serverTypes = ['node', 'python', 'binary', 'uv'] as const
export type BundleServerType = (typeof serverTypes)[number]

/** What is run, in the manifest's words, placeholders and all. */
export interface LaunchWords {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** One thing that whoever installs the bundle is asked for. */
export interface UserOption {
  readonly type: 'string' | 'number' | 'boolean' | 'directory' | 'file'
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly default?: string | number | boolean | readonly string[] | undefined
  /** Several folders or files. */
  readonly multiple?: boolean | undefined
  /** To be kept where secrets are. */
  readonly sensitive?: boolean | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** `manifest.json`, as far as we read it: of the versions 0.1 to 0.4, and of later ones that still mean the same. */
export interface Manifest {
  /** `manifest_version`, or `dxt_version` as it was called at first. */
  readonly format: string
  readonly name: string
  readonly display_name?: string | undefined
  readonly version: string
  readonly description?: string | undefined
  readonly author?: { readonly name?: string | undefined } | undefined
  readonly license?: string | undefined
  readonly homepage?: string | undefined
  readonly server: {
    readonly type: BundleServerType
    readonly entry_point: string
    /** Only `uv` may do without. */
    readonly mcp_config?: (LaunchWords & { readonly platform_overrides?: PlatformWords | undefined }) | undefined
  }
  readonly tools?: readonly { readonly name: string; readonly description?: string | undefined }[] | undefined
  readonly prompts?: readonly { readonly name: string; readonly description?: string | undefined }[] | undefined
  readonly user_config?: Readonly<Record<string, UserOption>> | undefined
  readonly compatibility?:
    | {
        readonly platforms?: readonly string[] | undefined
        readonly runtimes?: Readonly<Record<string, string>> | undefined
      }
    | undefined
}

export type PlatformWords = Readonly<Record<string, LaunchWords>>

/** Reads `manifest.json`; whatever is wrong with it is named by its place, and no value of it is repeated. */
export const parseManifest = (bytes: Buffer): Manifest => {
  const value = parseJson(bytes)
  const checked = createSchemas().validator(schema).check(value)
  if (!checked.ok)
    throw refused(
      `its manifest.json is not valid: ${formatProblems(checked.problems)}`,
      `manifest.json 无效：${formatProblems(checked.problems)}`,
    )
  const manifest = value as unknown as Omit<Manifest, 'format'> & {
    readonly manifest_version?: string | undefined
    readonly dxt_version?: string | undefined
  }
  const format = manifest.manifest_version ?? manifest.dxt_version
  if (format === undefined)
    throw refused('its manifest.json has no "manifest_version"', 'manifest.json 没有 "manifest_version"')
  if (!/^0\.\d/.test(format))
    throw refused(
      `its manifest is of version ${quoted(format)}, and we read those that begin with 0`,
      `清单版本为 ${quoted(format)}，只支持以 0 开头的版本`,
    )
  if (manifest.server.type !== 'uv' && manifest.server.mcp_config === undefined)
    throw refused(
      'its manifest.json does not say what to run: "server.mcp_config" is missing',
      'manifest.json 没有说明运行什么：缺少 "server.mcp_config"',
    )
  return { ...manifest, format }
}

const parseJson = (bytes: Buffer): JsonObject => {
  if (!isUtf8(bytes)) throw refused('its manifest.json is not UTF-8', 'manifest.json 不是 UTF-8')
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  const fault = scanJson(text, bounds)
  if (fault !== undefined)
    throw refused(`its manifest.json is out of bounds (${fault})`, `manifest.json 超出限制（${fault}）`)
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value as JsonObject
  } catch (cause) {
    throw refused(
      `its manifest.json is not JSON: ${messageOf(cause)}`,
      `manifest.json 不是 JSON：${messageOf(cause)}`,
      cause,
    )
  }
  throw refused('its manifest.json is no object', 'manifest.json 不是对象')
}

const bounds = {
  maxDepth: 32,
  maxElements: 20_000,
  maxKeys: 5000,
  // Two readers of one manifest must run one command.
  duplicateDepth: Number.POSITIVE_INFINITY,
  inexactNumbers: 'round',
} as const

const text = (maxLength: number): JsonObject => ({ type: 'string', maxLength })
const word = (maxLength: number): JsonObject => ({ type: 'string', minLength: 1, maxLength })

const launch: JsonObject = {
  command: word(4096),
  args: { type: 'array', items: text(32_768), maxItems: 256 },
  env: {
    type: 'object',
    maxProperties: 256,
    propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
    additionalProperties: text(32_768),
  },
}

const offered: JsonObject = {
  type: 'array',
  maxItems: 2000,
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: word(256), description: text(65_536) },
  },
}

// Keys that are not named here pass: a manifest says much that is for shops and pictures.
const schema: JsonObject = {
  type: 'object',
  required: ['name', 'version', 'server'],
  properties: {
    manifest_version: word(16),
    dxt_version: word(16),
    name: word(128),
    display_name: text(256),
    version: { type: 'string', pattern: '^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$' },
    description: text(16_384),
    author: { type: 'object', properties: { name: text(256) } },
    license: text(256),
    homepage: text(2048),
    server: {
      type: 'object',
      required: ['type', 'entry_point'],
      properties: {
        type: { enum: [...serverTypes] },
        entry_point: word(1024),
        mcp_config: {
          type: 'object',
          required: ['command'],
          properties: {
            ...launch,
            platform_overrides: {
              type: 'object',
              maxProperties: 16,
              additionalProperties: { type: 'object', properties: launch },
            },
          },
        },
      },
    },
    tools: offered,
    prompts: offered,
    user_config: {
      type: 'object',
      maxProperties: 128,
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,127}$', not: { enum: ['__proto__'] } },
      additionalProperties: {
        type: 'object',
        required: ['type'],
        properties: {
          type: { enum: ['string', 'number', 'boolean', 'directory', 'file'] },
          title: text(256),
          description: text(4096),
          required: { type: 'boolean' },
          default: {
            anyOf: [
              text(32_768),
              { type: 'number' },
              { type: 'boolean' },
              { type: 'array', items: text(4096), maxItems: 256 },
            ],
          },
          multiple: { type: 'boolean' },
          sensitive: { type: 'boolean' },
          min: { type: 'number' },
          max: { type: 'number' },
        },
      },
    },
    compatibility: {
      type: 'object',
      properties: {
        platforms: { type: 'array', items: text(32), maxItems: 32 },
        runtimes: { type: 'object', maxProperties: 16, additionalProperties: text(64) },
      },
    },
  },
}
