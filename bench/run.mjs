// Every figure that we claim, measured: npm run bench [-- --quick] [-- call catalog secrets storage gateway bridge rest scanner audit history]
// Speed in one table, beside the least relay and the peers that are there: npm run bench -- speed [--quick]
// What a fleet promises, on a PostgreSQL of its own: npm run bench -- fleet [--quick]
// What identity costs: npm run bench -- identity [--quick] [--json FILE]
// What governance costs each call: npm run bench -- governance
// What a change costs, the build from before beside this one: npm run bench -- [--quick] beside --before ../before/dist
import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { table } from './measure.mjs'

const benches = {
  call: async () => (await import('./call.mjs')).benchCall(),
  catalog: async () => (await import('./catalog.mjs')).benchCatalog(),
  secrets: async () => (await import('./secrets.mjs')).benchSecrets(),
  storage: async ({ quick }) => script('storage.mjs', quick ? ['1000'] : []),
  console: async (options) => (await import('./console.mjs')).benchConsole(options),
  gateway: async (options) => (await import('./gateway/gateway.mjs')).benchGateway(options),
  bridge: async (options) => (await import('./bridge.mjs')).benchBridge(options),
  rest: async (options) => (await import('./rest.mjs')).benchRest(options),
  scanner: async (options) => (await import('./scanner.mjs')).benchScanner(options),
  audit: async (options) => (await import('./audit.mjs')).benchAudit(options),
  history: async (options) => (await import('./history.mjs')).benchHistory(options),
}

/** Run only where asked for: some take minutes, one needs a second build. */
const wanted = {
  speed: async (options) => (await import('./speed/speed.mjs')).benchSpeed(options),
  fleet: async (options) => (await import('./fleet.mjs')).benchFleet(options),
  hop: async (options) => (await import('./fleet-hop.mjs')).benchHop(options),
  identity: async (options) => (await import('./identity.mjs')).benchIdentity(options),
  governance: async (options) => (await import('./governance.mjs')).benchGovernance(options),
  workers: async (options) => (await import('./workers.mjs')).benchWorkers(options),
  beside: async (options) => (await import('./gateway/beside.mjs')).benchBeside(options),
}

/** A bench that prints its own table and claims nothing. */
const script = (name, args) => {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...args], {
    stdio: 'inherit',
  })
  return [{ claim: `${name} runs`, value: status ?? 1, limit: 0, unit: '' }]
}

/** The last table, and the exit code: 1 when a claim does not hold. */
export const showClaims = (claims) => {
  const held = claims.map(({ value, limit, atLeast }) => (atLeast ? value >= limit : value <= limit))
  table(
    'Claims',
    ['claim', 'value', 'limit', ''],
    claims.map(({ claim, value, limit, unit, atLeast }, index) => [
      claim,
      `${toShort(value)} ${unit}`,
      `${atLeast ? '≥' : '≤'} ${limit} ${unit}`,
      held[index] ? 'pass' : 'FAIL',
    ]),
  )
  return held.every(Boolean) ? 0 : 1
}

const toShort = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))

const help = () => `npm run bench -- [BENCH …] [OPTIONS]

Benches: ${Object.keys(benches).join(', ')}; without a name all of these.
By name only: ${Object.keys(wanted).join(', ')}.

  --quick          shorter rounds and fewer of them
  --before FOLDER  beside, audit: the dist of another checkout after its build
  --only PARTS     speed: some of its parts, as calls,lists,big,recording,memory,returning
  --peers, --no-peers
                   speed: with the peers that bench/peers/install.mjs installed, or without them; unless said
                   otherwise with them, but not with --quick
  --json FILE      speed, identity: the table as JSON
  --markdown FILE  speed: the table as Markdown; in a page with <!-- speed --> and <!-- /speed --> what is between them
  --node FILE      speed: small calls through a gateway on another Node as well`

const main = async () => {
  // The catalog's bench weighs the heap, and `npm run bench` passes no flags.
  setFlagsFromString('--expose_gc')
  globalThis.gc ??= runInNewContext('gc')
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  const { values, positionals: asked } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      quick: { ...flag, default: false },
      ...{ before: text, only: text, json: text, markdown: text, node: text, peers: flag, help: flag },
    },
  })
  if (values.help) return console.log(help())
  const options = { ...values, only: values.only?.split(',') }
  const all = { ...benches, ...wanted }
  const unknown = asked.find((name) => !Object.hasOwn(all, name))
  if (unknown !== undefined)
    throw new Error(`There is no bench '${unknown}'; there are ${Object.keys(all).join(', ')}.`)
  const claims = []
  for (const [name, bench] of Object.entries(asked.length === 0 ? benches : all))
    if (asked.length === 0 || asked.includes(name)) claims.push(...(await bench(options)))
  process.exitCode = showClaims(claims)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()
