import { isSecretName } from './secret-names.js'

/** What stands in the place of a secret. Without brackets or letters, so that no pattern here takes it for a value's part. */
export const label = '***'

/**
 * What looks like a secret without being registered as one. Every pattern is bounded in how far it looks, so that long
 * hostile text costs time in proportion to its length.
 */
export const hideShapes = (text: string): string => {
  let kept = text.replace(authorization, `$1${label}`).replace(cookie, `$1${label}`)
  if (kept.includes('://')) kept = kept.replace(userInfo, `$1${label}@`)
  if (kept.includes('=')) kept = kept.replace(assignment, hideAssignment)
  if (kept.includes(':')) kept = kept.replace(pair, hidePair)
  return kept.replace(bearer, `$1 ${label}`).replace(wellKnown, label)
}

// The scheme is kept, since it is known and helps; cookies are secret to the end of the line.
const authorization = /(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:Bearer|Basic|Digest|Token) {1,4})?)[^\s"',;]+/gi
const cookie = /(cookie["']?\s{0,4}:\s{0,4}["']?)[^"'\r\n]+/gi

const userInfo = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>`]{1,2048}@/gi

// `?token=…`, `&api_key=…`, `--password=…`, `client_secret="…"`
const assignment = /([A-Za-z][\w.-]{0,63})(=["']?)([^\s"'&;,#)\]}]+)/g
const hideAssignment = (all: string, name: string, sign: string): string =>
  isSecretName(name) ? `${name}${sign}${label}` : all

// `"password": "…"`, `Authorization: …`, `api key: …`; after a bare colon also prose may follow ("token: expired").
const pair = /([A-Za-z][\w.-]{0,63})(["']?\s{0,4}:\s{0,4}(["']?))([^\s"',;})\]]+)/g
const hidePair = (all: string, name: string, sign: string, quote: string, value: string): string =>
  isSecretName(name) && (quote !== '' || /\d/.test(value) || value.length >= 16) ? `${name}${sign}${label}` : all

// A digit or padding tells a credential from the words "Basic authentication".
const bearer = /\b(Bearer|Basic) {1,4}(?=[A-Za-z._~+/-]{0,256}[0-9=])[A-Za-z0-9._~+/=-]{6,}/gi

// Our own keys, those of common providers, and JSON Web Tokens.
const wellKnown =
  /\b(?:rtk_[0-9a-f]{8,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{10,2048}\.[A-Za-z0-9_-]{10,}\.?[A-Za-z0-9_-]*)/g

/** Whether a text holds a key of a well-known make, wherever it stands. */
export const hasSecretShape = (text: string): boolean => text.search(wellKnown) >= 0
