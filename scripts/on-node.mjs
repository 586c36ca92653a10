// Runs something on other versions of Node: `node scripts/on-node.mjs 22 24 -- file.mjs arguments`. Each comes from npm by name,
// into .node-versions, and is kept there. One that cannot be had is skipped and says why; this never fails a build by itself.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../.node-versions', import.meta.url))
const isWindows = process.platform === 'win32'
// The programs alone: the package `node` has the same ones by a script of its installation, which not everybody lets run.
const program = `node-${isWindows ? 'win' : process.platform}-${process.arch}`

const dashes = process.argv.indexOf('--')
const versions = process.argv.slice(2, dashes)
const args = process.argv.slice(dashes + 1)
if (dashes < 0 || args.length === 0 || versions.length === 0 || versions.some((each) => !/^\d+$/.test(each))) {
  console.error('usage: node scripts/on-node.mjs MAJOR … -- ARGUMENTS OF NODE')
  process.exit(64)
}

const lastLine = (text) => text.trim().split('\n').at(-1) || 'no word from npm'

const install = (folder, version) => {
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', '--fetch-retries=1']
  // In a folder of its own: npm would take ours for the project to install into.
  const words = ['install', '--prefix', folder, ...flags, `${program}@${version}`]
  const options = { encoding: 'utf8', timeout: 180_000, shell: isWindows, cwd: dirname(home) }
  const { status, stderr, error } = spawnSync('npm', words, options)
  return status === 0 ? undefined : (error?.message ?? lastLine(stderr))
}

/** The program of this version, or why there is none. */
const find = (version) => {
  if (process.versions.node.startsWith(`${version}.`)) return { path: process.execPath }
  const folder = join(home, version)
  const path = join(folder, 'node_modules', program, 'bin', isWindows ? 'node.exe' : 'node')
  const why = existsSync(path) ? undefined : install(folder, version)
  if (why !== undefined) return { why }
  const { stdout, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return stdout?.startsWith(`v${version}.`) ? { path } : { why: error?.message ?? 'it does not start here' }
}

let failed = 0
for (const version of versions) {
  const { path, why } = find(version)
  if (path === undefined) {
    console.log(`Node ${version}: skipped, it could not be had: ${why}`)
    continue
  }
  console.log(`Node ${version}: ${path}`)
  // First on the path as well, for programs that are started by the name `node`.
  const env = { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH}` }
  const { status } = spawnSync(path, args, { stdio: 'inherit', env })
  if (status !== 0) failed ||= status ?? 1
}
process.exitCode = failed
