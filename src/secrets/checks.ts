/** Bits per character, by how often each occurs. */
export const entropyOf = (text: string): number => {
  const counts = new Map<number, number>()
  for (let at = 0; at < text.length; at++) counts.set(text.charCodeAt(at), (counts.get(text.charCodeAt(at)) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The six digits at the end of a token of GitHub or npm: the CRC-32 of the thirty before them, in base 62. */
export const base62Checksum = (body: string): string => {
  let rest = crc32(body)
  let digits = ''
  for (let at = 0; at < 6; at++) {
    digits = base62[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Of `ghp_` and 36 characters. */
export const hasChecksum = (token: string): boolean => {
  const body = token.slice(token.lastIndexOf('_') + 1)
  return base62Checksum(body.slice(0, -6)) === body.slice(-6)
}

// Node 20 has none of its own.
const crc32 = (text: string): number => {
  let crc = ~0
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

export const hasDigitAndLetter = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text)

/** What stands in documents and forms where a secret will be. */
export const isPlaceholder = (text: string): boolean =>
  /^[$<{[(%*.]|example|placeholder|change.?me|redacted|dummy|your[-_ ]|xxxx|0123456|abcdefg|123456789|\*\*\*|\.\.\.|…|‹/i.test(
    text,
  ) || /^(.{1,4})\1*$/.test(text)

/** Names and numbers that look like chance and are none of anybody's secrets: UUIDs, hashes, dates, versions, paths. */
export const isPlainName = (text: string): boolean =>
  /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text) ||
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(text) ||
  /^(?:sha\d{1,3}|md5)[-:]/i.test(text) ||
  /^[\d.:,TZ+-]+$/.test(text) ||
  /^(?:\.{0,2}|~|[A-Za-z]:)?[\\/]/.test(text) ||
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
