/**
 * Could this URI have come from this RFC 6570 template? Expressions match any text but, in the simple form, no slash;
 * what lies between must be there literally.
 */
export const matchesTemplate = (template: string, uri: string): boolean => {
  const parts = partsOf(template)
  if (!parts || uri.length > longest) return false
  return matchFrom(parts, uri)
}

interface Part {
  readonly literal: string
  /** What may stand before the literal: nothing, text without slashes, or any text. */
  readonly gap: 'none' | 'segment' | 'any'
}

const longest = 8192
const mostParts = 64

const partsOf = (template: string): readonly Part[] | undefined => {
  const parts: Part[] = []
  let gap: Part['gap'] = 'none'
  let at = 0
  while (at <= template.length) {
    const open = template.indexOf('{', at)
    const literal = template.slice(at, open < 0 ? undefined : open)
    parts.push({ literal, gap })
    if (open < 0) return parts
    const close = template.indexOf('}', open)
    if (close < 0 || parts.length >= mostParts) return undefined
    gap = /^[+#/?&;.]/.test(template.slice(open + 1, close)) ? 'any' : 'segment'
    at = close + 1
  }
  return parts
}

/** Positions reachable after each part. Each position is looked at once per part, whatever the template. */
const matchFrom = (parts: readonly Part[], uri: string): boolean => {
  let reachable: readonly number[] = [0]
  for (const { literal, gap } of parts) {
    const next: number[] = []
    let seen = 0
    for (const start of reachable) {
      for (let at = Math.max(start, seen); at <= uri.length; at++) {
        seen = at + 1
        if (uri.startsWith(literal, at)) next.push(at + literal.length)
        if (gap === 'none' || (gap === 'segment' && uri[at] === '/')) break
      }
    }
    reachable = next
    if (next.length === 0) return false
  }
  return reachable.at(-1) === uri.length
}
