import { isRecord } from '../../model/json.js'
import { canonicalJson } from '../../schema/canonical.js'
import { maskText, secretLabel } from '../../secrets/mask.js'
import { visibleText } from '../../telemetry/visible-text.js'

/**
 * Arguments as whoever decides about them may see them: all of them, as canonical JSON, with nothing that hides; without
 * known secrets and without what looks like one. What a yes is bound to is the text before this.
 */
export const shownArguments = (
  canonical: string,
  clean: (text: string) => string,
  secrets: readonly string[] = [],
): string => {
  const text = (words: string): string => clean(maskText(words))
  const parsed = parse(canonical)
  // How a long text begins is no JSON.
  if (parsed === undefined) return secrets.length > 0 ? '' : visibleText(text(canonical))
  return visibleText(canonicalJson(masked(without(parsed.value, secrets), text)))
}

/** What an operator set from a secret is nobody's to see, approvers included. */
const without = (value: unknown, secrets: readonly string[]): unknown =>
  isRecord(value) && secrets.length > 0
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, secrets.includes(name) ? secretLabel('preset') : item]),
      )
    : value

const parse = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const masked = (value: unknown, text: (words: string) => string): unknown => {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, text))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), masked(item, text)]))
}
