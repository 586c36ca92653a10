import { maskText } from '../secrets/mask.js'
import { redactValue } from './redact-value.js'
import { hideShapes, label } from './secret-shapes.js'

/** The one place where secrets are taken out of what people and other machines may read (T23). */
export interface Redactor {
  /** Hides this value from now on; ignored below six characters. */
  add(secret: string): void
  /** The text without registered secrets in any usual spelling, URL credentials, bearer tokens and `password=…`. */
  text(text: string): string
  /** A bounded, JSON-safe copy: strings as above, values hidden whose key names a secret. Never throws, never edits. */
  value(value: unknown): unknown
}

/** Bounded: more than this many secrets are a mistake, and the first are kept. */
const maxSecrets = 10_000

/** A redactor that knows these secrets; more may be added while it is in use. */
export const createRedactor = (secrets: Iterable<string> = []): Redactor => {
  const known = createKnownValues()
  const seen = new Set<string>()

  const add = (secret: string): void => {
    if (secret.length < minSecretLength || seen.has(secret) || seen.size >= maxSecrets) return
    seen.add(secret)
    for (const form of secretForms(secret)) known.add(form)
    // What a multi-line secret (a private key) looks like when it is printed line by line.
    for (const line of secret.split(/\r?\n/)) if (line.length >= minSecretLength) known.add(line)
  }
  // Exact values first: shapes could cut a secret so that its rest is no longer recognised. Last what nobody registered.
  const text = (source: string): string => maskText(hideShapes(known.hide(source, label)))

  for (const secret of secrets) add(secret)
  return { add, text, value: (source) => redactValue(source, text) }
}

/** Shorter values are words and numbers that occur everywhere; hiding them would garble every line. */
const minSecretLength = 6

/** The secret as it is, and as programs print it: in JSON, URLs, forms, hexadecimal, base64 alone or inside something. */
const secretForms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8')
  const percent = safely(encodeURIComponent, secret)
  const hex = bytes.toString('hex')
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    lowerEscapes(percent),
    new URLSearchParams({ s: secret }).toString().slice(2),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ]
  return [...new Set(forms)].filter((form) => form.length >= minSecretLength)
}

/**
 * What of the base64 text stays the same whatever stands before and behind the secret (`user:secret` in Basic auth):
 * the digits whose six bits lie wholly inside it, for each of the three ways it can be aligned.
 */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const inside = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')]
  })

const lowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

// A lone surrogate cannot be encoded; the other forms still hold.
const safely = (encode: (text: string) => string, text: string): string => {
  try {
    return encode(text)
  } catch {
    return ''
  }
}

/** Finds any of many texts in one pass, however many there are. */
interface KnownValues {
  add(value: string): void
  /** Everything covered by one of them replaced; what overlaps is hidden as a whole. */
  hide(text: string, label: string): string
  readonly longest: number
}

/** Looks at four characters at a time; `minLength` of what is added must be at least four. */
const createKnownValues = (): KnownValues => {
  const byStart = new Map<number, string[]>()
  let longest = 0

  const lengthAt = (text: string, at: number): number => {
    const candidates = byStart.get(startKey(text, at))
    return candidates?.find((value) => text.startsWith(value, at))?.length ?? 0
  }

  return {
    get longest() {
      return longest
    },
    add: (value) => {
      const key = startKey(value, 0)
      const peers = byStart.get(key) ?? []
      if (peers.includes(value)) return
      // Longest first, so that the first that fits covers the most.
      byStart.set(
        key,
        [...peers, value].sort((a, b) => b.length - a.length),
      )
      longest = Math.max(longest, value.length)
    },
    hide: (text, label) => {
      if (byStart.size === 0) return text
      let hidden = ''
      let kept = 0
      for (let at = 0; at + 4 <= text.length; at++) {
        let end = at + lengthAt(text, at)
        if (end === at) continue
        for (let inside = at + 1; inside < end; inside++) end = Math.max(end, inside + lengthAt(text, inside))
        hidden += text.slice(kept, at) + label
        kept = end
        at = end - 1
      }
      return kept === 0 ? text : hidden + text.slice(kept)
    },
  }
}

// Collisions only cost a comparison.
const startKey = (text: string, at: number): number =>
  text.charCodeAt(at) ^
  (text.charCodeAt(at + 1) << 8) ^
  (text.charCodeAt(at + 2) << 16) ^
  (text.charCodeAt(at + 3) << 24)
