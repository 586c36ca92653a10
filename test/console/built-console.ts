import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCli } from '../mcp/built-cli.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The console, built and put beside the compiled command line, where `serve` looks for it. */
export const builtConsole = (): { readonly cli: string; readonly folder: string } => {
  const cli = builtCli()
  const dist = dirname(dirname(cli))
  const making = mkdtempSync(join(dist, 'making-'))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [
    vite,
    'build',
    'console',
    '--config',
    'console/vite.config.ts',
    '--outDir',
    making,
    '--logLevel',
    'error',
  ]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0 || !existsSync(join(making, 'index.html'))) throw new Error(`The console was not built:\n${stderr}`)
  const place = join(dist, 'console')
  rmSync(place, { recursive: true, force: true })
  try {
    renameSync(making, place)
  } catch {
    cpSync(making, place, { recursive: true })
  }
  return { cli, folder: place }
}
