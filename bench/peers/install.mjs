// Gets the peers that the speed bench runs beside us: node bench/peers/install.mjs. What cannot be had is skipped with the
// reason, and the bench does without it. Nothing of it is ours, so it lives in a folder that git does not see.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { home, places } from './peers.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const fastmcp = 'fastmcp==4.1.2'

/** Runs in turn; the first that fails is the reason, in its last words. */
const run = (folder, ...commands) => {
  for (const [command, ...args] of commands) {
    const { status, error, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 600_000 })
    if (error?.code === 'ENOENT') return `there is no ${command}`
    if (status !== 0) return `${command} ${args[0]}: ${stderr?.trim().split('\n').at(-1) || error?.message || status}`
  }
  return undefined
}

const installHub = () => {
  const folder = join(home, 'npm')
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(here(`npm/${file}`), join(folder, file))
  return run(folder, ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'])
}

const buildGo = (name, to) => () => run(here('go'), ['go', 'build', '-o', to, `./${name}`])

const installFastMcp = () => {
  const pip = [places.python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  return run(home, ['python3', '-m', 'venv', join(home, 'python')], [...pip, fastmcp])
}

const steps = [
  { name: 'mcp-hub', place: places.hub, install: installHub },
  { name: 'go-sdk relay', place: places.goSdk, install: buildGo('go-sdk', places.goSdk) },
  { name: 'mcp-go relay', place: places.mcpGo, install: buildGo('mcp-go', places.mcpGo) },
  { name: 'FastMCP proxy', place: places.python, install: installFastMcp },
]

mkdirSync(home, { recursive: true })
console.log('SDK v1 relay: there, by our own development dependencies')
for (const { name, place, install } of steps) {
  const reason = install()
  console.log(
    `${name}: ${reason === undefined && existsSync(place) ? 'installed' : `skipped, ${reason ?? 'its program is not where it should be'}`}`,
  )
}
console.log('agentgateway: skipped, neither npm nor PyPI has its program')
