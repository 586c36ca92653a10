// Compiles the storage room alone, so that a plain `node` child can run it and errors in other rooms do not matter.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Inside the repository, because the compiled files look for `libsql` in its node_modules. */
export const buildStorage = () => {
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const out = mkdtempSync(join(root, 'tmp', 'storage-'))
  const project = join(out, 'tsconfig.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../../tsconfig.build.json',
      compilerOptions: { rootDir: '../../src', outDir: '.', declaration: false, noEmitOnError: false },
      include: [],
      files: ['../../src/storage/open.ts'],
    }),
  )
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
  const entry = join(out, 'storage', 'open.js')
  return {
    entry: pathToFileURL(entry).href,
    log: String(stdout),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
