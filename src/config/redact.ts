import { type Path, pathKey } from './problems.js'
import type { Config } from './schema.js'
import { isSecretKey, isSecretPath, mask, maskUrl } from './secrets.js'

/** Text that stood in the file around its placeholders, and that gives nothing away. */
const harmless = /^(?:Bearer|Basic|Token)? ?$/

/**
 * A copy that may be shown: values of `env` and `headers`, keys and tokens, credentials in URLs and arguments masked
 * (T23). With `references` (from `loadConfig`) what came out of a variable is shown as that variable.
 */
export const redacted = (config: Config, references: ReadonlyMap<string, string> = new Map()): unknown => {
  const show = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return showText(value, path, references.get(pathKey(path)))
    if (typeof value !== 'object' || value === null) return isMasked(path) ? mask : value
    if (Array.isArray(value))
      return value.map((item, index) => show(isSecretArg(value, index) ? mask : item, [...path, index]))
    const hidesSet = path.includes('overrides') && (value as { readonly secret?: unknown }).secret === true
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const at = [...path, key]
        return [key, hidesSet && key === 'set' && !references.has(pathKey(at)) ? mask : show(item, at)]
      }),
    )
  }
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, show(value, [key])]))
}

const showText = (value: string, path: Path, template: string | undefined): string => {
  if (template !== undefined) return maskTemplate(template)
  if (isMasked(path)) return mask
  return path.includes('args') ? maskArg(value) : maskUrl(value)
}

// The first two names of a path are ours or the operator's own, not those of a value: a source may be called "token".
const isMasked = (path: Path): boolean =>
  isSecretPath(path.slice(2)) || ['auth.apiKey', 'server.token', 'fleet.secret'].includes(path.join('.'))

/** Keeps the names of variables; what was written around them, and their defaults, may be secret. */
export const maskTemplate = (template: string): string =>
  template
    .split(/(\$\{[^}]*\})/)
    .map((part, index) =>
      index % 2 === 1 ? part.replace(/:-[^}]+\}/, `:-${mask}}`) : harmless.test(part) ? part : mask,
    )
    .join('')

// `--token X`, `-H "X-Any: …"`: the flag says what the next argument is.
const isSecretArg = (items: readonly unknown[], index: number): boolean => {
  const before = items[index - 1]
  return typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before) && isSecretName(before)
}

const isSecretName = (name: string): boolean => isSecretKey(name.replace(/^-+/, '')) || /^(?:-H|--headers?)$/.test(name)

const maskArg = (arg: string): string => {
  const [, name, separator] = /^(-{0,2}[\w.-]+)(=|:\s+)/.exec(arg) ?? []
  if (name === undefined || separator === undefined) return /\b(?:Bearer|Basic) \S/i.test(arg) ? mask : maskUrl(arg)
  // `NAME=value` sets a variable of a child's child, as in `docker run -e`; a flag's own value is mostly harmless.
  if (isSecretName(name) || (separator === '=' && !name.startsWith('-'))) return `${name}${separator}${mask}`
  const value = arg.slice(name.length + separator.length)
  return /\b(?:Bearer|Basic) \S/i.test(value) ? mask : `${name}${separator}${maskUrl(value)}`
}
