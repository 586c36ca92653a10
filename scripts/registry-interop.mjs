// Runs the official MCP registry (a Go module, on Debian's PostgreSQL) and asks it by our client: npm run registry:interop.
// Needs Go and its module proxy, and PostgreSQL (scripts/postgres.mjs). Loopback only; everything it makes is gone at the end.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findPostgres, notInstalled, startPostgres } from './postgres.mjs'

const module = 'github.com/modelcontextprotocol/registry'
const version = process.env.REGISTRY_VERSION ?? 'v1.8.7'
const root = fileURLToPath(new URL('..', import.meta.url))
const cli = join(root, 'dist', 'cli', 'main.js')
const work = mkdtempSync(join(tmpdir(), 'pegboard-registry-'))

const fail = (why) => {
  console.error(`registry-interop: ${why}`)
  process.exitCode = 1
}

/** The registry as a program, built once and kept with the other caches. */
const buildRegistry = () => {
  const bin = join(root, 'node_modules', '.cache', `mcp-registry-${version}`)
  const program = join(bin, 'registry')
  if (existsSync(program)) return program
  mkdirSync(bin, { recursive: true })
  console.log(`Building ${module}/cmd/registry@${version} …`)
  const { status } = spawnSync('go', ['install', `${module}/cmd/registry@${version}`], {
    env: { ...process.env, GOBIN: bin, GOFLAGS: '-mod=mod' },
    stdio: 'inherit',
  })
  return status === 0 ? program : undefined
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Every shape that our client knows, under one owner. */
const server = (name, more) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `com.example/${name}`,
  description: `The server ${name}`,
  version: '1.0.0',
  ...more,
})
const seeds = [
  server('files', {
    packages: [
      {
        registryType: 'npm',
        identifier: '@example/files',
        version: '1.4.2',
        transport: { type: 'stdio' },
        environmentVariables: [{ name: 'API_TOKEN', isRequired: true, isSecret: true }],
      },
    ],
  }),
  server('remote', { remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/mcp' }] }),
  ...Array.from({ length: 45 }, (_, at) =>
    server(`many-${at}`, { remotes: [{ type: 'streamable-http', url: `https://mcp.example.com/${at}` }] }),
  ),
]

const pegboard = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, LANG: 'C.UTF-8', PEGBOARD_CONFIG: join(work, 'pegboard.json') },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const checks = []
const check = (what, isTrue, detail = '') => {
  checks.push(isTrue)
  console.log(`${isTrue ? '✓' : '✗'} ${what}${isTrue ? '' : `: ${detail}`}`)
}

const ask = async (url) => {
  const found = JSON.parse(pegboard('registry', 'search', 'many', '--registry', url, '--limit', '60', '--json').stdout)
  const names = (found.servers ?? found).map((each) => each.name ?? each.server?.name)
  check('a search goes through all pages, each server once', new Set(names).size === 45, `${names.length} found`)
  const shown = pegboard('registry', 'show', 'com.example/files', '--registry', url)
  check('one server is shown with its package', shown.stdout.includes('@example/files'), shown.stderr)
  const added = pegboard('add', 'com.example/remote', '--registry', url, '--yes', '--disabled')
  check('a remote server is added', added.status === 0, added.stderr)
  const answers = ['--env', 'API_TOKEN=mine', '--yes', '--disabled']
  const files = pegboard('add', 'com.example/files@1.0.0', '--registry', url, ...answers)
  check('a package is added, pinned', files.status === 0, files.stderr)
  const { sources } = JSON.parse(readFileSync(join(work, 'pegboard.json'), 'utf8'))
  check('its command names the version', sources.files?.args?.includes('@example/files@1.4.2'), JSON.stringify(sources))
  check('its secret is not in the file', !JSON.stringify(sources).includes('mine'))
  const absent = pegboard('add', 'com.example/absent', '--registry', url, '--yes')
  check('one that is not there is said not to be', absent.status !== 0, absent.stdout)
}

/** Our own answers have what the official one's have: whoever reads one reads the other. */
const compare = async (url) => {
  const theirs = (await (await fetch(`${url}/v0.1/servers?limit=1`)).json()).servers[0]
  const meta = Object.keys(theirs._meta['io.modelcontextprotocol.registry/official'])
  const ours = ['status', 'statusMessage', 'statusChangedAt', 'publishedAt', 'updatedAt', 'isLatest']
  check(
    'its _meta holds nothing that we do not serve',
    meta.every((key) => ours.includes(key)),
    meta.join(', '),
  )
  const gone = await fetch(`${url}/v0.1/servers/com.example%2Fabsent/versions`)
  check('what is not there is 404', gone.status === 404, String(gone.status))
}

const run = async () => {
  if (!existsSync(cli)) return fail('build first: npm run build')
  if (!findPostgres()) return fail(notInstalled)
  if (spawnSync('go', ['version']).status !== 0) return fail('Go is not installed')
  const program = buildRegistry()
  if (!program) return fail('the registry could not be built')
  writeFileSync(join(work, 'pegboard.json'), '{ "sources": {} }\n')
  writeFileSync(join(work, 'seed.json'), JSON.stringify(seeds))
  const postgres = await startPostgres()
  const database = `${await postgres.createDatabase('registry')}?sslmode=disable`
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const registry = spawn(program, [], {
    cwd: work,
    env: {
      PATH: process.env.PATH,
      HOME: work,
      MCP_REGISTRY_SERVER_ADDRESS: `127.0.0.1:${port}`,
      MCP_REGISTRY_DATABASE_URL: database,
      MCP_REGISTRY_SEED_FROM: join(work, 'seed.json'),
      MCP_REGISTRY_ENABLE_REGISTRY_VALIDATION: 'false',
      MCP_REGISTRY_DATABASE_MAX_CONNECTIONS: '10',
      MCP_REGISTRY_DATABASE_MIN_CONNECTIONS: '1',
      MCP_REGISTRY_JWT_PRIVATE_KEY: 'ab'.repeat(32),
    },
  })
  let said = ''
  for (const stream of [registry.stdout, registry.stderr]) stream.on('data', (chunk) => (said += chunk))
  try {
    for (let tries = 0; tries < 120; tries++) {
      const answer = await fetch(`${url}/v0.1/servers?search=many-44`).catch(() => undefined)
      if (answer?.ok && (await answer.json()).servers?.length > 0) break
      if (registry.exitCode !== null || tries === 119)
        return fail(`the registry does not answer:\n${said.slice(-2000)}`)
      await pause(500)
    }
    await ask(url)
    await compare(url)
  } finally {
    registry.kill('SIGTERM')
    await postgres.stop()
  }
  if (checks.includes(false)) fail('not all of it holds')
  else console.log(`${checks.length} of ${checks.length}, against ${module} ${version}`)
}

try {
  await run()
} finally {
  rmSync(work, { recursive: true, force: true })
}
