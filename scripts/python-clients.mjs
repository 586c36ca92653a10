// Makes sure that tests have MCP clients written in Python: an environment of their own in .python-clients, from PyPI by name.
// Without Python, or without a way to get them, the tests say so and are skipped; this never fails a build.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = ['mcp==2.3.0', 'fastmcp==4.1.2']
const home = fileURLToPath(new URL('../.python-clients', import.meta.url))
const note = join(home, 'installed.txt')
const python = join(home, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')

const run = (command, ...args) =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 }).status === 0
const isThere = () => existsSync(note) && readFileSync(note, 'utf8') === packages.join('\n')
const install = () => {
  rmSync(home, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  if (!run('python3', '-m', 'venv', home) || !run(python, ...pip, ...packages)) return false
  writeFileSync(note, packages.join('\n'))
  return true
}

if (isThere()) console.log(`python clients: ${packages.join(', ')}`)
else if (!run('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'))
  console.log('python clients: no Python 3.10 or later; their tests will be skipped')
else if (install()) console.log(`python clients: installed ${packages.join(', ')}`)
else console.log('python clients: could not be installed; their tests will be skipped')
