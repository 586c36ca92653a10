export interface ChildRedactor {
  /** The text with every known secret replaced by the name of where it came from. */
  redact(text: string): string
  /** Length of the longest secret: a text cut with that much margin cannot end inside one unseen. */
  readonly longest: number
}

export interface RedactorOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly args?: readonly string[] | undefined
}

/**
 * Children like to print their configuration when they fail. What the operator declared for them is replaced by value
 * (T23), also in the spellings that servers commonly print: base64, URL-encoded, the password inside an address.
 */
export const createRedactor = (options: RedactorOptions): ChildRedactor => {
  const labels = new Map<string, string>()
  const learn = (value: string, label: string) => {
    for (const form of spellings(value)) if (!labels.has(form)) labels.set(form, label)
  }
  for (const [name, value] of Object.entries(options.env ?? {})) {
    if (isWorthHiding(name, value)) learn(value, `[env ${name}]`)
  }
  for (const value of secretArguments(options.args ?? [])) learn(value, '[argument]')
  // Longest first, or a secret that contains another would leave its remainder behind.
  const known = [...labels].sort(([a], [b]) => b.length - a.length)
  return {
    redact: (text) => known.reduce((kept, [value, label]) => kept.replaceAll(value, () => label), text),
    longest: known[0]?.[0].length ?? 0,
  }
}

const secretName = /key|token|secret|pass|pwd|auth|cred|bearer|cookie|session|private|signature|dsn/i

// Short values of harmless names (`1`, `info`, `8080`) are left: hiding them would garble every line.
const isWorthHiding = (name: string, value: string): boolean => value.length >= (secretName.test(name) ? 3 : 6)

/** Values of `--token=x` and of `--token x`, recognised by the option's name. */
const secretArguments = (args: readonly string[]): string[] => {
  const values: string[] = []
  args.forEach((argument, index) => {
    const [, option, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(argument) ?? []
    const secret = value ?? args[index + 1]
    if (option && secretName.test(option) && secret && secret.length >= 3) values.push(secret)
    values.push(...addressPassword(argument))
  })
  return values
}

const spellings = (value: string): string[] => {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= 6)
  const whole = [value, ...lines, ...addressPassword(value)]
  const encoded = [encodeURIComponent, toBase64('base64'), toBase64('base64url')].map((encode) => safely(encode, value))
  return [...whole, ...encoded].filter((form) => form.length >= 3)
}

const toBase64 = (encoding: 'base64' | 'base64url') => (value: string) =>
  // Without padding: it is missing or differs when the secret is printed as part of something longer.
  Buffer.from(value).toString(encoding).replace(/=+$/, '')

const addressPassword = (value: string): string[] => {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@:\s]*:([^/@\s]{3,})@/i.exec(value) ?? []
  return password ? [password, safely(decodeURIComponent, password)] : []
}

const safely = (convert: (value: string) => string, value: string): string => {
  try {
    return convert(value)
  } catch {
    return value
  }
}
