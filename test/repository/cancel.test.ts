import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/**
 * Where an AbortController, or a signal made of others, may be made, and why. A request has a `Cancel`
 * (`model/cancel.ts`): a signal of Node's per request was a fifth of what a call cost.
 */
const allowed: Readonly<Record<string, string>> = {
  'model/cancel.ts': 'the one door to those who need the real thing',
  'catalog/mounted-sources.ts': 'one for as long as a source is mounted; sources are written by others',
  'cli/commands/doctor/identity.ts': 'fetch of our own metadata, once per command',
  'cli/commands/doctor/recall.ts': 'a request of node:http, once per command',
  'cli/commands/top.ts': 'one for as long as the command runs',
  'faces/mcp/face.ts': 'one for as long as the face is open',
  'faces/recall/remote/services.ts': 'fetch to a remote service',
  'fleet/peer-client.ts': 'a request of node:http, when replicas are told something',
  'mcp/client/handshake.ts': 'one per connection, while it finds out the era',
  'mcp/client/streams.ts': 'one per stream that a server keeps open',
  'registries/client.ts': 'fetch to a registry, when somebody searches',
  'search/embedding/http-provider.ts': 'fetch to an embedding service',
  'serving/admin/try-out.ts': 'one per source that an operator tries out; sources are written by others',
  'serving/authorization.ts': 'fetch of a client document',
  'serving/bundles/fetch-bundle.ts': 'fetch of a bundle, once per command',
  'serving/issuer-fetch.ts': 'fetch to an issuer of tokens',
  'serving/open-board.ts': 'one for as long as files are followed',
  'serving/running/pinned.ts': 'fetch to our own gateway, once per command',
  'serving/signed-post.ts': 'fetch to where lines and messages are sent',
  'serving/sources/kept-registered.ts': 'one for as long as the board is open',
  'sources/hosted/attached.ts':
    'one for as long as a source runs here, or is asked where it does; sources are written by others',
  'sources/mcp-source.ts': 'one per start of a source',
  'sources/mcp-surface.ts': 'one per stream that a client listens on',
  'sources/oauth/oauth-fetch.ts': 'fetch to an authorization server',
  'sources/openapi/openapi.ts': 'one for as long as a source is open',
  'sources/stdio/isolated/process.ts': 'one per process of a caller’s own',
  'sources/stdio/pool.ts': 'one per start of a process',
}

/** Where a signal of ours becomes one of Node's, at the door of somebody else's code. */
const doors: Readonly<Record<string, string>> = {
  'model/cancel.ts': 'where it is defined',
  'invocation/passage.ts': 'for functions and sources of others, when they first read `signal`',
  'faces/recall/remote/services.ts': 'fetch',
  'fleet/others.ts': 'requests of node:http to other replicas, which are seldom',
  'mcp/client/inbound.ts': 'for handlers of others, when they read `signal`',
  'serving/admin/registry.ts': 'fetch to a registry, when an operator searches',
  'search/embedding/query-vectors.ts': 'embedding providers, where the query is not remembered',
}

const filesWith = (pattern: RegExp): string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => pattern.test(readFileSync(join(src, file), 'utf8')))
    .sort()

describe('a request that can be cancelled', () => {
  it('is so by `Cancel`: signals of Node’s are made in few places, each with its reason', () => {
    expect(filesWith(/new AbortController\(|AbortSignal\.(?:any|timeout|abort)\(/)).toEqual(Object.keys(allowed).sort())
  })

  it('becomes an AbortSignal only at the door of other people’s code', () => {
    expect(filesWith(/toAbortSignal\(|toAbortSignal =/)).toEqual(Object.keys(doors).sort())
  })
})
