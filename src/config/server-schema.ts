import { z } from 'zod'
import { milliseconds, nonEmpty, text, url, variable } from './fields.js'

// A page at such an origin may call us, so a wildcard would be every page.
const origin = z.string().refine((value) => {
  if (!URL.canParse(value)) return false
  const parsed = new URL(value)
  return parsed.origin === value.replace(/\/$/, '') || (parsed.origin === 'null' && !value.includes('*'))
}, 'must be an origin such as https://app.example.com')

const bytes = (least: number, most: number) => z.int().min(least).max(most)
const mebibyte = 1024 * 1024

const limits = z.strictObject({
  maxBodyBytes: bytes(1024, 1024 * mebibyte)
    .default(4 * mebibyte)
    .meta({ description: 'The most one request may hold' }),
  maxBufferedBytes: bytes(1024, 64 * 1024 * mebibyte)
    .default(256 * mebibyte)
    .meta({ description: 'What all requests that are being read may hold together' }),
  maxHeaderBytes: bytes(1024, mebibyte)
    .default(16 * 1024)
    .meta({ description: 'Request line and headers' }),
  headersTimeoutMs: milliseconds().default(5000).meta({ description: 'Time for the headers of a request' }),
  requestTimeoutMs: milliseconds()
    .default(10_000)
    .meta({ description: 'Time for a request with its body, not for its answer' }),
  checkIntervalMs: milliseconds().default(1000).meta({ description: 'How often both are looked at' }),
  keepAliveMs: milliseconds().default(65_000).meta({
    description:
      'How long an idle connection stays open; longer than a proxy in front keeps it, so that the proxy closes first',
  }),
  stalledMs: milliseconds()
    .default(30_000)
    .meta({ description: 'How long an answer waits for a client that reads nothing of it' }),
  maxConnections: z.int().min(1).max(1_000_000).default(10_000).meta({ description: 'Connections at once' }),
})

/** Where and to whom HTTP is served. */
export const server = z.strictObject({
  transport: z
    .enum(['stdio', 'http'])
    .optional()
    .meta({ description: 'What `pegboard` without a command serves. Default: stdio in a pipe' }),
  host: nonEmpty(255)
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on; any but loopback needs a key or `token`' }),
  port: z.int().min(0).max(65_535).default(8000).meta({ description: 'Port to listen on; 0 takes any that is free' }),
  path: z
    .string()
    .max(256)
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must start with / and hold letters, digits and . _ ~ - / only')
    .refine((value) => value === '/' || !/\/\.{0,2}(?:\/|$)/.test(value), 'must not hold empty, . or .. parts')
    .default('/mcp')
    .meta({ description: 'Where MCP is served; profiles are below it' }),
  token: z
    .string()
    .min(16)
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .meta({ description: 'A bearer token that every caller must send', examples: [variable('PEGBOARD_TOKEN')] }),
  trustedHosts: z
    .array(nonEmpty(255))
    .max(256)
    .default([])
    .meta({ description: 'Names under which clients reach us, beside our own', examples: [['tools.example.com']] }),
  allowedOrigins: z
    .array(origin)
    .max(256)
    .default([])
    .meta({ description: 'Web pages that may call us', examples: [['https://app.example.com']] }),
  instructions: text(65_536)
    .optional()
    .meta({
      description: 'What the server tells clients about itself',
      examples: ['Tools of the support desk. Search before you answer.'],
    }),
  firstListMs: z.int().min(0).max(600_000).default(5000).meta({
    description:
      'How long after the start lists may wait for sources of which nothing is known yet; 0 waits for none. Sources that were up before are listed at once',
  }),
  publicUrl: url(['http', 'https'])
    .refine(
      (value) => URL.canParse(value) && new URL(value).search + new URL(value).hash === '',
      'must not hold ? or #',
    )
    .optional()
    .meta({
      description:
        'The address under which others reach this server, as behind a proxy; sign-ins come back to it, and links and snippets name it. Its host is trusted',
      examples: ['https://tools.example.com'],
    }),
  drainMs: z.int().min(0).max(600_000).default(5000).meta({
    description:
      'How long a gateway that was told to end (SIGTERM) goes on serving while `/readyz` says 503, so that a balancer notices; only where somebody asked `/readyz`',
  }),
  limits: limits.prefault({}).meta({ description: 'What the HTTP listener takes before it says no' }),
})
