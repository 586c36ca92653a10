import { createKnownValues } from './known-values.js'
import { redactValue } from './redact-value.js'
import { minSecretLength, secretForms } from './secret-forms.js'
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
  // Exact values first: shapes could cut a secret so that its rest is no longer recognised.
  const text = (source: string): string => hideShapes(known.hide(source, label))

  for (const secret of secrets) add(secret)
  return { add, text, value: (source) => redactValue(source, text) }
}
