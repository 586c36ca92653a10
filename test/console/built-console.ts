import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtCli } from '../helpers/built-cli.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The console, built and put beside the compiled command line, where `serve` looks for it. Test files run side by side,
 * so whoever is first builds it and the others take it as it is.
 */
export const builtConsole = (): { readonly cli: string; readonly folder: string } => {
  const cli = builtCli()
  const folder = join(dirname(dirname(cli)), 'console')
  const state = stateOfConsole()
  if (builtState(folder) !== state) build(folder, state)
  return { cli, folder }
}

const mark = 'state.txt'

const builtState = (folder: string): string | undefined => {
  const file = join(folder, mark)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const stateOfConsole = (): string => {
  const hash = createHash('sha256')
  const files = readdirSync(join(root, 'console'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

const build = (folder: string, state: string): void => {
  const making = mkdtempSync(join(dirname(folder), 'making-'))
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', 'console', '--config', 'console/vite.config.ts', '--outDir', making]
  // As it is published: test runners set another environment, which would bring React's own checks along.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stderr } = spawnSync(process.execPath, [...args, '--logLevel', 'error'], { cwd: root, encoding: 'utf8', env })
  if (!existsSync(join(making, 'index.html'))) throw new Error(`The console was not built:\n${stderr}`)
  writeFileSync(join(making, mark), state)
  if (builtState(folder) !== state) rmSync(folder, { recursive: true, force: true })
  try {
    renameSync(making, folder)
  } catch (error) {
    // Another test file was first; its build is as good.
    rmSync(making, { recursive: true, force: true })
    if (builtState(folder) !== state) throw error
  }
}
