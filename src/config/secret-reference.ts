import { isRecord } from '../model/json.js'
import { hardCodedSecrets, placeholderIn } from './hard-coded.js'
import { formatPath, type Path } from './problems.js'

/** A place at which a secret stood, or has to be put. */
export interface ReferredSecret {
  /** Inside the entry. */
  readonly path: readonly string[]
  /** The whole text that stands there instead. */
  readonly instead: string
  /** Nothing was given: somebody wrote where one belongs. */
  readonly placeholder: boolean
}

/** An entry of a source with every secret in it as a variable of a name that says what it is (D15). */
export const withReferences = (
  name: string,
  entry: Readonly<Record<string, unknown>>,
): { readonly entry: Readonly<Record<string, unknown>>; readonly secrets: readonly ReferredSecret[] } => {
  const written = new Map(
    hardCodedSecrets({ sources: { [name]: entry } }, formatPath).map(({ path, instead }) => [path, instead]),
  )
  const secrets: ReferredSecret[] = []
  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return visitText(value, path)
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]))
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])]))
  }
  const visitText = (text: string, path: Path): string => {
    const known = written.get(formatPath(path))
    const whole = known === undefined ? placeholderIn(text, path) : wholeText(text, known, path)
    if (whole === undefined || whole === text) return text
    secrets.push({ path: path.slice(2).map(String), instead: whole, placeholder: known === undefined })
    return whole
  }
  return { entry: visit(entry, ['sources', name]) as Record<string, unknown>, secrets }
}

/** What is said for people may leave out what stands around: a flag before its value, the rest of an address. */
const wholeText = (text: string, instead: string, path: Path): string => {
  const [reference = instead] = /\$\{\w+\}/.exec(instead) ?? []
  if (instead.startsWith('…')) {
    const [, name] = /^…(\S*?)=\$\{/.exec(instead) ?? []
    if (name === undefined) return text
    return text.replace(/([?&])([^=&#]*)=([^&#]*)/g, (whole, sign: string, key: string) =>
      decoded(key) === name ? `${sign}${key}=${reference}` : whole,
    )
  }
  const [, flag] = /^(-{0,2}[A-Za-z][\w-]*[=:]\s*)/.exec(text) ?? []
  return typeof path.at(-1) === 'number' && flag !== undefined ? `${flag}${instead}` : instead
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
