import type { Path } from './problems.js'

/** What stands in the place of a secret. */
export const mask = '***'

const secretWord =
  /(token|secret|passw|passphrase|api[-_]?key|access[-_]?key|private|credential|authorization|cookie|bearer|signature|jwt|^key$|^pwd$|^auth$)/i

/** Keys whose name says that the value is a secret. */
export const isSecretKey = (key: string): boolean => secretWord.test(key)

// Any value of these may be one, whatever its key.
const secretContainers = new Set(['env', 'headers'])

// What stands beside a secret under `auth` and is none. Taken for one, it would vanish from every log: "oauth" is a word.
const plainInAuth = new Set([
  ...['type', 'clientId', 'clientMetadataUrl', 'scopes', 'issuer', 'algorithm'],
  ...['per', 'header', 'prefix', 'help', 'audience', 'grant'],
])
const partsOfAuth = new Set(['listAs', 'server'])

/** True where a value must not be shown: by its own key, or by the container it sits in. */
export const isSecretPath = (path: Path): boolean => {
  const at = path.lastIndexOf('auth')
  const key = partsOfAuth.has(String(path[at + 1])) ? path[at + 2] : path[at + 1]
  const isPlain = at >= 0 && plainInAuth.has(String(key))
  const segments = isPlain ? path.slice(0, at) : path
  return segments.some(
    (segment) => typeof segment === 'string' && (secretContainers.has(segment) || isSecretKey(segment)),
  )
}

/** A URL without its credentials: userinfo and every query value masked, since the key of a token is anyone's guess. */
export const maskUrl = (text: string): string => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  const withoutUser = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${mask}@`)
  return withoutUser.replace(/([?&;][^=&;#]*=)[^&;#]*/g, `$1${mask}`)
}
