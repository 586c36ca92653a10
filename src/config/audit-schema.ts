import { z } from 'zod'
import { nonEmpty, url } from './fields.js'

const target = () =>
  z.union([
    z.enum(['file', 'stdout']),
    z.strictObject({
      otlp: url(['http', 'https']).meta({
        description: 'Where logs are taken as OTLP over HTTP; `/v1/logs` is added to an address without a path',
        examples: ['http://collector:4318'],
      }),
      headers: z.record(nonEmpty(128), nonEmpty(8192)).optional().meta({ description: 'Sent with every batch' }),
    }),
    z.strictObject({
      webhook: url(['http', 'https']).meta({
        description: 'Where batches of lines are posted',
        examples: ['https://siem.example.com/pegboard'],
      }),
      secret: nonEmpty(8192)
        .min(16)
        .meta({ description: 'Signs every batch (HMAC-SHA-256, header `X-Pegboard-Signature`)' }),
    }),
  ])

/** The audit trail in full; a word does where nothing of it is said. */
const whole = () =>
  z.strictObject({
    keepDays: z.int().min(1).max(3650).optional().meta({ description: 'How long lines are kept at most' }),
    keepMegabytes: z
      .int()
      .min(32)
      .max(1_000_000)
      .default(128)
      .meta({ description: 'How much is kept at most; the oldest goes first' }),
    values: z.boolean().default(false).meta({ description: 'Keep argument values too' }),
    people: z
      .enum(['clear', 'hash'])
      .default('clear')
      .meta({ description: '`hash`: people, machines and keys stand there under names that only this vault can make' }),
    ip: z.boolean().default(false).meta({ description: 'Keep the address that a deed or a refusal came from' }),
    to: z
      .array(target())
      .min(1)
      .max(8)
      .default(['file'])
      .meta({ description: 'Where lines go: `file`, `stdout`, `{otlp}`, `{webhook, secret}`' }),
  })

export const auditTrail = z.union([z.enum(['off', 'on', 'values']), z.lazy(whole)]) as z.ZodType<AuditSetting>

export type AuditTarget =
  | 'file'
  | 'stdout'
  | { readonly otlp: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  | { readonly webhook: string; readonly secret: string }

/** Of the trail, said in full. */
export interface AuditWishes {
  readonly keepDays?: number | undefined
  readonly keepMegabytes: number
  readonly values: boolean
  readonly people: 'clear' | 'hash'
  readonly ip: boolean
  readonly to: readonly AuditTarget[]
}

export type AuditSetting = 'off' | 'on' | 'values' | AuditWishes

/** What is wanted of the trail; undefined where there shall be none. */
export const auditWishes = (setting: AuditSetting): AuditWishes | undefined => {
  if (setting === 'off') return undefined
  if (typeof setting === 'object') return setting
  return { keepMegabytes: 128, values: setting === 'values', people: 'clear', ip: false, to: ['file'] }
}
