// Servers of others, fetched once at the versions written down, into node_modules/.cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../node_modules/.cache/pegboard-interop', import.meta.url))

/** The program of one of them. */
export const programOf = ({ package: name, entry }) => join(cache, 'node_modules', name, entry)

export const installServers = (servers) => {
  if (servers.every((server) => existsSync(programOf(server)))) return
  mkdirSync(cache, { recursive: true })
  if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}')
  const wanted = servers.map(({ package: name, version }) => `${name}@${version}`)
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...flags, ...wanted], { cwd: cache, stdio: 'inherit' })
  if (status !== 0) throw new Error('The servers could not be installed.')
}
