/** A place in a file, as editors jump to it. */
export interface Place {
  readonly line: number
  readonly text: string
}

/**
 * Spreads that add a member or not: `...(x === undefined ? {} : { x })` and its like. A value that may be missing is
 * handed on as it is, since every optional property takes `undefined`.
 */
export const conditionalSpreads = (source: string): readonly Place[] =>
  [...source.matchAll(/\.\.\.\(/g)].flatMap(({ index }) => {
    const inner = source.slice(index + 4, closing(source, index + 3))
    const isOne = /\?\s*\{\s*\}\s*:\s*\{/.test(inner) || (/\?\s*\{/.test(inner) && /:\s*\{\s*\}\s*$/.test(inner))
    return isOne ? [placeOf(source, index)] : []
  })

/** Optional members of interfaces, types and classes, each with its type. */
export const optionalMembers = (source: string): readonly (Place & { readonly type: string })[] => {
  const code = bare(source)
  const open: string[] = []
  const found: (Place & { readonly type: string })[] = []
  for (let at = 0; at < code.length; at++) {
    const sign = code[at]!
    if ('{(['.includes(sign)) open.push(sign)
    else if ('})]'.includes(sign)) open.pop()
    // Inside parentheses it is a parameter, to which `undefined` may be given in any case; behind `]` a mapped type.
    else if (open.at(-1) === '{' && /^\w\?:\s/.test(code.slice(at - 1, at + 3)))
      found.push({ ...placeOf(source, at), type: typeAt(code, at + 2) })
  }
  return found
}

export const takesUndefined = (type: string): boolean => /\bundefined\b|^unknown$|^any$/.test(type)

/** As far as the type goes: to the end of the member, which is a line unless the next one continues it. */
const typeAt = (code: string, from: number): string => {
  let at = from
  for (; at < code.length; at++) {
    const sign = code[at]!
    if ('{(['.includes(sign)) at = closing(code, at)
    else if (';})'.includes(sign) || (sign === '\n' && !/^\s*[|&]/.test(code.slice(at)))) break
  }
  return code.slice(from, at).trim()
}

/** Where the bracket at this place ends. */
const closing = (code: string, from: number): number => {
  let depth = 0
  for (let at = from; at < code.length; at++) {
    if ('{(['.includes(code[at]!)) depth++
    else if ('})]'.includes(code[at]!) && --depth === 0) return at
  }
  return code.length
}

const placeOf = (source: string, at: number): Place => {
  const line = source.slice(0, at).split('\n').length
  return { line, text: source.split('\n')[line - 1]!.trim() }
}

// Comments, texts and regular expressions may hold any bracket. Lengths stay, so that places do.
const noise =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};>]\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g

const bare = (source: string): string => source.replace(noise, (text) => text.replace(/[^\n]/g, '_'))
