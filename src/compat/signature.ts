/** A parameter as its function's source spells it. */
export interface Parameter {
  readonly name: string
  /** The source text of its default, if it has one. */
  readonly defaultText: string | undefined
}

/**
 * The parameters of a function, read from its source text as Python's `inspect` reads a signature. Destructured and rest
 * parameters have no name to give and end the list.
 */
export const parametersOf = (fn: (...args: any[]) => unknown): readonly Parameter[] => {
  const source = stripComments(Function.prototype.toString.call(fn))
  const list = parameterText(source)
  if (list === undefined) return []
  const parameters: Parameter[] = []
  for (const part of splitTopLevel(list)) {
    const [, name, defaultText] =
      /^\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:=(?!=|>)([\s\S]*))?$/u.exec(part) ?? []
    if (name === undefined) break
    parameters.push({ name, defaultText: defaultText?.trim() })
  }
  return parameters
}

/**
 * A default as a reader wants it: a string without its quotes, anything else as its source spells it. A template with
 * parts to fill in is no plain string.
 */
export const plainDefault = (text: string): string => {
  const quote = text[0] ?? ''
  if (!['"', "'", '`'].includes(quote) || stringEnd(text, 0) !== text.length - 1) return text
  const inner = text.slice(1, -1)
  return quote === '`' && inner.includes('${') ? text : unescaped(inner)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' }

const unescaped = (text: string): string =>
  text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, (_, point, unit, byte, char) => {
    const hex = point ?? unit ?? byte
    if (hex === undefined) return char === '\n' ? '' : (escapes[char as string] ?? char)
    const code = Number.parseInt(hex, 16)
    return code > 0x10ffff ? '' : String.fromCodePoint(code)
  })

/** What stands between the parentheses, or the lone name of `x => …`. */
const parameterText = (source: string): string | undefined => {
  const lone = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(source)
  if (lone) return lone[1]
  const open = source.indexOf('(')
  if (open < 0) return undefined
  const close = closing(source, open)
  return close < 0 ? undefined : source.slice(open + 1, close)
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** The index of the bracket that closes the one at `open`, strings skipped; -1 when there is none. */
const closing = (text: string, open: number): number => {
  const stack: string[] = []
  for (let at = open; at < text.length; at++) {
    const char = text[at]!
    if (char === '"' || char === "'" || char === '`') at = stringEnd(text, at)
    else if (closers[char]) stack.push(closers[char])
    else if (char === stack.at(-1)) {
      stack.pop()
      if (stack.length === 0) return at
    }
  }
  return -1
}

const stringEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
  }
  return text.length
}

const splitTopLevel = (text: string): string[] => {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"' || char === "'" || char === '`') at = stringEnd(text, at)
    else if (closers[char]) at = Math.max(at, closing(text, at))
    else if (char === ',') {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  const last = text.slice(start)
  return last.trim() === '' ? parts : [...parts, last]
}

/** Without comments, which may hold brackets and commas; strings are left as they are. */
const stripComments = (source: string): string => {
  let out = ''
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!
    if (char === '"' || char === "'" || char === '`') {
      const end = stringEnd(source, at)
      out += source.slice(at, end + 1)
      at = end
    } else if (char === '/' && source[at + 1] === '*') at = Math.max(at, source.indexOf('*/', at + 2) + 1)
    else if (char === '/' && source[at + 1] === '/') {
      const end = source.indexOf('\n', at)
      at = end < 0 ? source.length : end - 1
    } else out += char
  }
  return out
}
