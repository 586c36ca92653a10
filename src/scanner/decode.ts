/** A text that was written in a code inside another, and where it stood. */
export interface Decoded {
  readonly at: number
  readonly end: number
  readonly text: string
}

/** At most so many codes of one text are read, and so much of each. */
const most = { runs: 40, characters: 20_000 } as const

/** What in a text is base64, hex, percent, entities or escapes for something that can be read. */
export const decodedIn = (raw: string): readonly Decoded[] => {
  const found: Decoded[] = []
  for (const { pattern, read, sign } of codes) {
    if (!sign.test(raw)) continue
    pattern.lastIndex = 0
    for (let match = pattern.exec(raw); match && found.length < most.runs; match = pattern.exec(raw)) {
      const text = read(match[0].slice(0, most.characters))
      if (text !== undefined && isReadable(text)) found.push({ at: match.index, end: pattern.lastIndex, text })
    }
  }
  return found
}

interface Code {
  /** A quick look whether it may occur at all. */
  readonly sign: RegExp
  readonly pattern: RegExp
  read(run: string): string | undefined
}

const fromBytes = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const fromBase64 = (run: string): string | undefined => {
  const plain = run.replace(/\s/g, '').replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '')
  if (plain.length % 4 === 1) return undefined
  try {
    return fromBytes(Uint8Array.from(atob(plain), (each) => each.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const fromHex = (run: string): string | undefined => {
  const digits = run.replace(/\\x|0x|[\s,:]/gi, '')
  if (digits.length % 2 === 1) return undefined
  return fromBytes(
    Uint8Array.from({ length: digits.length / 2 }, (_, at) => Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)),
  )
}

const fromPercent = (run: string): string | undefined => {
  try {
    return decodeURIComponent(run.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

const codes: readonly Code[] = [
  // A word of a path or a name is not written in digits, capitals and small letters at once.
  { sign: /[A-Za-z0-9+/_-]{24}/, pattern: /[A-Za-z0-9+/_-]{24,}={0,2}/g, read: fromBase64 },
  {
    sign: /(?:[0-9a-f]{2}){12}|\\x[0-9a-f]{2}|0x[0-9a-f]{2}[ ,]/i,
    pattern: /(?:[0-9a-f]{2}){12,}|(?:(?:\\x|0x)[0-9a-f]{2}[ ,]?){6,}/gi,
    read: fromHex,
  },
  { sign: /%[0-9a-f]{2}/i, pattern: /(?:[\w.~!*'()-]{0,12}%[0-9a-f]{2}){4,}[\w.~!*'()-]{0,40}/gi, read: fromPercent },
  {
    sign: /&#/,
    pattern: /(?:&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});[ \w]{0,3}){4,}/gi,
    read: (run) =>
      run.replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex, number) =>
        character(hex === undefined ? Number(number) : Number.parseInt(hex, 16)),
      ),
  },
  {
    sign: /\\u/,
    pattern: /(?:\\u(?:[0-9a-f]{4}|\{[0-9a-f]{1,6}\})[ \w]{0,3}){4,}/gi,
    read: (run) =>
      run.replace(/\\u(?:([0-9a-f]{4})|\{([0-9a-f]{1,6})\})/gi, (_, four, more) =>
        character(Number.parseInt(four ?? more, 16)),
      ),
  },
]

/** Words and not noise: nearly all of it letters, spaces and plain signs. */
const isReadable = (text: string): boolean => {
  if (text.length < 6) return false
  let readable = 0
  let letters = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122
    const isHan = code >= 0x4e00 && code <= 0x9fff
    if (isLetter || isHan) letters++
    if (
      isLetter ||
      isHan ||
      (code >= 32 && code < 127) ||
      code === 10 ||
      (code >= 0x3000 && code <= 0x30ff) ||
      code >= 0xff00
    )
      readable++
  }
  return readable >= text.length * 0.95 && letters >= text.length * 0.5
}
