import { isUtf8 } from 'node:buffer'

const prefix = '=?base64?'
const suffix = '?='

/** A value as `Mcp-Name` and `Mcp-Param-*` carry it: plain where a header can hold it, else base64 of its UTF-8. */
export const encodeHeaderValue = (value: string): string =>
  isPlain(value) ? value : `${prefix}${Buffer.from(value, 'utf8').toString('base64')}${suffix}`

/** The value behind a header, or undefined when the header is not one that `encodeHeaderValue` could have written. */
export const decodeHeaderValue = (header: string): string | undefined => {
  if (!looksEncoded(header)) return isVisible(header) ? header : undefined
  const encoded = header.slice(prefix.length, -suffix.length)
  const bytes = Buffer.from(encoded, 'base64')
  // Node skips what is not base64; only a text that encodes back to itself is taken, or two texts would name one tool.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined
  return bytes.toString('utf8')
}

const looksEncoded = (value: string): boolean =>
  value.length >= prefix.length + suffix.length && value.startsWith(prefix) && value.endsWith(suffix)

const isPlain = (value: string): boolean =>
  value !== '' && isVisible(value) && !looksEncoded(value) && value.trim() === value

const isVisible = (value: string): boolean => {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}
