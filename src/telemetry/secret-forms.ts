/** Shorter values are words and numbers that occur everywhere; hiding them would garble every line. */
export const minSecretLength = 6

/** The secret as it is, and as programs print it: in JSON, URLs, forms, hexadecimal, base64 alone or inside something. */
export const secretForms = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8')
  const percent = safely(encodeURIComponent, secret)
  const hex = bytes.toString('hex')
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    lowerEscapes(percent),
    new URLSearchParams({ s: secret }).toString().slice(2),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ]
  return [...new Set(forms)].filter((form) => form.length >= minSecretLength)
}

/**
 * What of the base64 text stays the same whatever stands before and behind the secret (`user:secret` in Basic auth):
 * the digits whose six bits lie wholly inside it, for each of the three ways it can be aligned.
 */
const base64Forms = (bytes: Buffer): string[] =>
  [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const inside = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
    return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')]
  })

const lowerEscapes = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

// A lone surrogate cannot be encoded; the other forms still hold.
const safely = (encode: (text: string) => string, text: string): string => {
  try {
    return encode(text)
  } catch {
    return ''
  }
}
