import { open } from 'node:fs/promises'
import { toToolResult } from '../model/answer.js'
import type { Call } from '../model/call.js'
import { isRecord } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { ValueSearch } from '../secrets/mask.js'
import { isSecretContainer, isSecretName } from '../telemetry/secret-names.js'
import { label } from '../telemetry/secret-shapes.js'

/** How much is kept of what is said in the calls of a profile. */
export interface ValueBounds {
  readonly argumentBytes: number
  readonly resultBytes: number
}

/** One side of a call as it is kept. */
export interface KeptValue {
  /** JSON; of one that was cut the beginning of its text. */
  readonly value: unknown
  /** Of the whole. */
  readonly bytes: number
  readonly cut?: true | undefined
  /** Something was taken out of it. */
  readonly redacted?: true | undefined
}

export interface KeptValues {
  readonly arguments?: KeptValue | undefined
  /** Not there where the call has none. */
  readonly result?: KeptValue | undefined
}

/** What was said in a call, without what is secret: by the rules for credentials, by names, and by what we know to be one. */
export const valuesOf = (
  { args }: Call,
  kind: string,
  outcome: Outcome,
  bounds: ValueBounds,
  clean: (text: string) => string,
): KeptValues => ({
  arguments: kept(args === undefined ? {} : args, bounds.argumentBytes, clean),
  result: outcome.ok ? kept(resultIn(kind, outcome), bounds.resultBytes, clean) : undefined,
})

/** As clients see it. */
const resultIn = (kind: string, { answer }: Outcome & { readonly ok: true }): unknown =>
  kind !== 'tool' && answer.type === 'value' ? answer.value : toToolResult(answer)

const kept = (value: unknown, most: number, clean: (text: string) => string): KeptValue | undefined => {
  try {
    const whole = JSON.stringify(value)
    if (whole === undefined) return undefined
    const bytes = Buffer.byteLength(whole)
    if (bytes > most) return cutShort(whole, bytes, most, clean)
    // Parsed back: what is kept later must not be what a program changes meanwhile, nor hold what JSON does not.
    const { shown, isChanged } = withoutSecrets(JSON.parse(whole), clean)
    return { value: shown, bytes, redacted: isChanged || undefined }
  } catch {
    // A cycle, a BigInt, a getter that throws.
    return undefined
  }
}

// Made clean before it is cut, with some more behind: half a secret is known by nobody.
const margin = 4096

const cutShort = (whole: string, bytes: number, most: number, clean: (text: string) => string): KeptValue => {
  const beginning = clean(whole.slice(0, most + margin))
  const text = Buffer.from(beginning).subarray(0, most).toString('utf8').replace(/�$/, '')
  return { value: text, bytes, cut: true }
}

const deepest = 64

/** A value without secrets: whatever a rule finds, a name gives away or the redactor knows. */
export const withoutSecrets = (
  value: unknown,
  clean: (text: string) => string,
): { readonly shown: unknown; readonly isChanged: boolean } => {
  let isChanged = false
  const text = (source: string): string => {
    const cleaned = clean(source)
    isChanged ||= cleaned !== source
    return cleaned
  }
  const hide = (): string => {
    isChanged = true
    return label
  }
  const walk = (source: unknown, hidden: boolean, depth: number): unknown => {
    if (depth > deepest) return hide()
    if (Array.isArray(source)) return source.map((item) => walk(item, hidden, depth + 1))
    if (isRecord(source))
      return Object.fromEntries(
        Object.entries(source).map(([key, inside]) => [
          text(key),
          walk(inside, hidden || isSecretName(key) || isSecretContainer(key), depth + 1),
        ]),
      )
    if (source === null || typeof source === 'boolean') return source
    if (hidden) return hide()
    return typeof source === 'string' ? text(source) : source
  }
  const searched = new ValueSearch(undefined, true).walk(value)
  isChanged = searched !== value
  return { shown: walk(searched, false, 0), isChanged }
}

/** An entry of the values file: its length, then JSON. */
export const valuesEntry = (values: KeptValues): Buffer => {
  const text = Buffer.from(JSON.stringify(values))
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32LE(text.length)
  return Buffer.concat([head, text])
}

const longestEntry = 16 * 1024 * 1024

/** What is kept at this place; undefined where it cannot be read any more. */
export const readValues = async (path: string, at: number): Promise<KeptValues | undefined> => {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const head = Buffer.alloc(4)
    if ((await file.read(head, 0, 4, at)).bytesRead < 4) return undefined
    const length = head.readUInt32LE()
    if (length > longestEntry) return undefined
    const text = Buffer.alloc(length)
    if ((await file.read(text, 0, length, at + 4)).bytesRead < length) return undefined
    const values: unknown = JSON.parse(text.toString('utf8'))
    return isRecord(values) ? (values as KeptValues) : undefined
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
