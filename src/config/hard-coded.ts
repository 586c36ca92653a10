import { isRecord } from '../model/json.js'
import { isSecretName } from '../telemetry/secret-names.js'
import { hasSecretShape } from '../telemetry/secret-shapes.js'
import { formatPath, type Path } from './problems.js'

/** A secret that stands in the file itself (001-20, D15). What it is never leaves this file. */
export interface HardCodedSecret {
  readonly path: string
  /** `file:line:column`. */
  readonly where: string
  /** What to write there instead: `${API_KEY}`, `Bearer ${DOCS_TOKEN}`, `…token=${HOME_TOKEN}`. */
  readonly instead: string
}

/** Every value of a file, as it was written, that looks like a secret and is none of `${VAR}`. */
export const hardCodedSecrets = (
  file: Readonly<Record<string, unknown>>,
  where: (path: Path) => string,
): readonly HardCodedSecret[] => {
  const found: HardCodedSecret[] = []
  const walk = (value: unknown, path: Path, before: unknown): void => {
    if (found.length >= mostFound) return
    if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, [...path, at], value[at - 1])
    else if (isRecord(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key], undefined)
    else if (typeof value === 'string' && value.length <= longest) {
      const instead = insteadOf(value, path, before)
      if (instead) found.push({ path: formatPath(path), where: where(path), instead })
    }
  }
  walk(file, [], undefined)
  return found
}

/** What belongs where a text only says that a secret does, as in `"API_KEY": "<your key>"`; undefined where it says no such thing. */
export const placeholderIn = (text: string, path: Path): string | undefined => {
  const key = path.at(-1)
  const isVariable = typeof key === 'string' && (path.at(-2) === 'env' || path.at(-2) === 'headers')
  if (!isVariable || refersOut.test(text) || text.length > longest || !isPlaceholder(afterScheme(text)))
    return undefined
  return `${schemeOf(text)}${reference(key, path)}`
}

const mostFound = 100
const longest = 64 * 1024

const insteadOf = (text: string, path: Path, before: unknown): string | undefined =>
  inUrl(text, path) ?? (refersOut.test(text) ? undefined : (byName(text, path, before) ?? byShape(text, path)))

/** Ours and the clients' spellings: `${VAR}`, `$VAR`, `${env:VAR}`, `{{var}}`, `%VAR%`. */
const refersOut = /\$\{?[A-Za-z_]|\{\{|%\w+%/

/** By the key it stands under, by the flag before it, or by the name before its own `=`. */
const byName = (text: string, path: Path, before: unknown): string | undefined => {
  const key = path.at(-1)
  if (typeof key === 'string' && path.length > 1)
    return holdsSecret(key) && isReal(afterScheme(text)) ? `${schemeOf(text)}${reference(key, path)}` : undefined
  const [, flag, value] = /^(-{0,2}[A-Za-z][\w-]*)[=:](.*)$/s.exec(text) ?? []
  if (flag !== undefined && holdsSecret(flag) && isReal(afterScheme(value!.trim()))) return reference(flag, path)
  const isFlag = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before)
  return isFlag && !text.startsWith('-') && holdsSecret(before) && isReal(text) ? reference(before, path) : undefined
}

const byShape = (text: string, path: Path): string | undefined =>
  hasSecretShape(text) && !isPlaceholder(text) ? reference('token', path) : undefined

const inUrl = (text: string, path: Path): string | undefined => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { username, password, searchParams } = new URL(text)
  const isWritten = (value: string): boolean => !refersOut.test(value) && isReal(value)
  if (isWritten(decodeURIComponent(password))) return `…${username}:${reference('password', path)}@…`
  const name = [...searchParams].find(([key, value]) => isSecretName(key) && isWritten(value))?.[0]
  if (name !== undefined) return `…${name}=${reference(name, path)}`
  return undefined
}

/** `tokenUrl`, `SECRET_NAME`, `KEY_FILE` speak of a secret and hold none. */
const speaksOfOne =
  /(?:url|uri|file|path|dir|name|id|type|header|prefix|ttl|issuer|endpoint|host|algorithm|format|mode|version|enabled|required)$/i

const holdsSecret = (key: string): boolean => isSecretName(key.replace(/^-+/, '')) && !speaksOfOne.test(key)

const scheme = /^(Bearer|Basic|Token)\s+/i
const schemeOf = (text: string): string => scheme.exec(text)?.[0] ?? ''
const afterScheme = (text: string): string => text.replace(scheme, '')

/** Worth hiding: long enough, no placeholder, no path to a file. Shorter ones are words and numbers. */
const isReal = (value: string): boolean =>
  value.trim().length >= 8 && !isPlaceholder(value) && !/^(?:\.{0,2}|~|[A-Za-z]:)[\\/][\w.\\/ -]+$/.test(value)

const isPlaceholder = (value: string): boolean =>
  /your|insert|replace|change.?me|placeholder|example|dummy|xxx|\*\*\*|\.\.\.|…|^<.*>$|^\[.*\]$/i.test(value) ||
  /^(.)\1*$/.test(value.trim())

/** A variable by the key where that is one already, else by source and key. */
const reference = (key: string, path: Path): string => {
  const known = standing[path.join('.')]
  if (known !== undefined) return `\${${known}}`
  if (/^[A-Z][A-Z0-9_]*$/.test(key)) return `\${${key}}`
  const owner = path.length > 2 && typeof path[1] === 'string' ? path[1] : ''
  const name = /^(?:proxy-)?authorization$|^bearer$/i.test(key) ? 'token' : key.replace(/^-+/, '')
  return `\${${toVariable(owner)}${owner ? '_' : ''}${toVariable(name)}}`
}

const standing: Readonly<Record<string, string>> = {
  'server.token': 'PEGBOARD_TOKEN',
  'auth.apiKey': 'PEGBOARD_API_KEY',
  'fleet.secret': 'PEGBOARD_FLEET_SECRET',
}

const toVariable = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase()
