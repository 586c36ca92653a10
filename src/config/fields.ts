import { z } from 'zod'
import { networkProblem } from '../http/behind-proxy.js'

// setTimeout takes anything above this as 1 ms (corpus K24).
const longestMs = 2 ** 31 - 1

/** A span of time in milliseconds. */
export const milliseconds = (least = 1) => z.int().min(least).max(longestMs)

/** A string without the characters that end it early somewhere else: NUL, in commands, paths and variables. */
export const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !value.includes('\0'), 'must not hold a NUL character')

export const nonEmpty = (longest: number) => text(longest).min(1)

/** The path of a file or folder; relative ones start at the configuration's folder, `~` is the home folder. */
export const filePath = () => nonEmpty(4096)

/** A pattern for tools: exact names, or `*` for any run of characters. */
export const toolPatterns = () => z.array(nonEmpty(256)).max(10_000)

/** A URL of one of these schemes, without credentials: fetch refuses them, and logs would show them. */
export const url = (schemes: readonly string[]) =>
  nonEmpty(8192).superRefine((value, context) => {
    const reason = urlProblem(value, schemes)
    if (reason) context.addIssue({ code: 'custom', message: reason })
  })

/** Why this is no such URL, or undefined. */
export const urlProblem = (value: string, schemes: readonly string[]): string | undefined => {
  const example = `${schemes.at(-1)}://host/path`
  if (!URL.canParse(value) || value !== value.trim()) return `must be a URL such as ${example}`
  const parsed = new URL(value)
  if (!schemes.includes(parsed.protocol.slice(0, -1))) {
    return `must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`
  }
  if (parsed.hostname === '') return `must name a host, as in ${example}`
  if (parsed.port === '0') return 'must not use port 0'
  if (parsed.username || parsed.password) return 'must not hold a user or password; send them in "headers"'
  return undefined
}

/** Proxies that are trusted: those of this machine, or by address and network. */
export const behindProxy = () =>
  z.union([
    z.boolean(),
    z
      .array(
        nonEmpty(64).superRefine((value, context) => {
          const message = networkProblem(value)
          if (message) context.addIssue({ code: 'custom', message })
        }),
      )
      .max(64),
  ])

/** A web origin. A page there may call us, so a wildcard would be every page. */
export const origin = () =>
  z.string().refine((value) => {
    if (!URL.canParse(value)) return false
    const parsed = new URL(value)
    return parsed.origin === value.replace(/\/$/, '') || (parsed.origin === 'null' && !value.includes('*'))
  }, 'must be an origin such as https://app.example.com')

/** Header names are tokens (RFC 9110 §5.1). */
export const headerName = () => z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'is not a legal header name')

/** Values of headers are one line of Latin-1, which is all that HTTP/1.1 carries. */
export const headers = () =>
  z
    .record(
      headerName(),
      z
        .string()
        .max(16_384)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of printable characters'),
    )
    .superRefine((record, context) => {
      const seen = new Set<string>()
      for (const name of Object.keys(record)) {
        const folded = name.toLowerCase()
        if (seen.has(folded)) context.addIssue({ code: 'custom', path: [name], message: 'is given twice; keep one' })
        seen.add(folded)
      }
    })

/** Variables for a child process. Keys with `=` would set another variable than they name. */
export const environment = () =>
  z.record(z.string().regex(/^[^=\0]{1,1024}$/, 'is not a legal name of a variable'), text(131_072))
