// The command that the suite runs as "the client" where a sign-in is part of the scenario: `pegboard serve` with the
// suite's server as its source. Somebody signs in through the gateway's own API and way back, as an operator with a
// browser does, and an SDK client calls through the gateway's own endpoint.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const program = join(resolve(process.env.PEGBOARD_DIST ?? 'dist'), 'cli', 'main.js')
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const modern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28'
// The suite's own example of a client that describes itself at an address.
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
const mostSignIns = 3

/** What an operator would write for the credentials that a scenario hands out. */
const authFor = () => {
  const { client_id: clientId, client_secret: clientSecret, issuer } = context
  if (context.private_key_pem)
    return {
      type: 'private-key-jwt',
      clientId,
      privateKey: context.private_key_pem,
      algorithm: context.signing_algorithm,
    }
  if (process.env.MCP_CONFORMANCE_SCENARIO?.includes('client-credentials'))
    return { type: 'client-credentials', clientId, clientSecret }
  return { type: 'oauth', ...(clientId ? { clientId, clientSecret, issuer } : { clientMetadataUrl }) }
}

const home = mkdtempSync(join(tmpdir(), 'pegboard-sign-in-'))
writeFileSync(
  join(home, 'pegboard.json'),
  JSON.stringify({
    sources: { suite: { type: 'http', url: process.argv.at(-1), auth: authFor() } },
    profiles: { default: { expose: 'flat', namespacing: false, names: 'exact' } },
    storage: { backend: 'json', path: home },
  }),
)
const gateway = spawn(process.execPath, [program, 'serve', '--port', '0', '--config', join(home, 'pegboard.json')], {
  cwd: home,
  stdio: ['ignore', 'ignore', 'pipe'],
})
const { address, key } = await new Promise((found, failed) => {
  let said = ''
  gateway.stderr.on('data', (chunk) => {
    said += chunk
    // The key of its operator is in a file, whose name is told right after the address.
    const [, url, file] = /Listening: (http:\/\/[^/]+)\/mcp.*Admin key: in (.+?), for/s.exec(said) ?? []
    if (url) found({ address: url, key: readFileSync(file, 'utf8').trim() })
  })
  gateway.once('close', () => failed(new Error(said)))
})

const admin = async (method, path) => {
  const response = await fetch(`${address}/api/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  })
  return { ok: response.ok, body: await response.json() }
}
/** How the source and its sign-in are, once neither is on its way. */
const settled = async () => {
  for (;;) {
    const [{ body: detail }, { body: list }] = [await admin('GET', '/sources/suite'), await admin('GET', '/sign-ins')]
    const [signIn] = list.signIns ?? []
    if (detail.source && detail.source.state !== 'starting' && signIn?.state !== 'waiting')
      return { source: detail.source, signIn }
    await new Promise((next) => setTimeout(next, 20))
  }
}
/** Follows the link as a browser does. False where the gateway gives none, or the way back refuses. */
const signInAsPerson = async () => {
  const { ok, body } = await admin('POST', '/sources/suite/sign-in')
  if (!ok) process.stderr.write(`${body.error.message}\n`)
  const page = ok ? await fetch(body.url) : undefined
  return page?.ok === true && page.url.startsWith(address)
}
const signInWhereWanted = async () => {
  const { signIn } = await settled()
  return signIn?.state === 'needs-sign-in' && (await signInAsPerson())
}

const callEverything = async () => {
  const info = { name: 'pegboard-conformance', version: '1.0.0' }
  const client = new Client(info, { versionNegotiation: { mode: modern ? 'auto' : 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)))
  const { tools } = await client.listTools()
  for (const { name } of tools)
    await client.callTool({ name, arguments: {} }).catch((error) => process.stderr.write(`${error.message}\n`))
  await client.close()
}

try {
  for (let round = 0; round < mostSignIns; round++) {
    const signedIn = await signInWhereWanted()
    const { source, signIn } = await settled()
    process.stderr.write(`${round}: ${source.state} ${signIn?.state} ${source.reason ?? ''}\n`)
    if (source.state === 'ready') await callEverything()
    if (!signedIn && (await settled()).signIn?.state !== 'needs-sign-in') break
  }
} finally {
  gateway.kill('SIGTERM')
  await once(gateway, 'close')
  rmSync(home, { recursive: true, force: true })
}
