// Compiles the storage room alone, so that a plain `node` child can run it and errors in other rooms do not matter.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Inside node_modules, where the compiled files find `libsql` and nobody tidies up by hand. */
export const buildStorage = () => {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'pegboard-storage-'))
  const project = join(out, 'tsconfig.json')
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../../../tsconfig.build.json',
      compilerOptions: { rootDir: '../../../src', outDir: '.', declaration: false, noEmitOnError: false },
      include: [],
      files: ['../../../src/storage/open.ts'],
    }),
  )
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project])
  const entry = join(out, 'storage', 'open.js')
  return {
    entry: pathToFileURL(entry).href,
    log: String(stdout),
    remove: () => rmSync(out, { recursive: true, force: true }),
  }
}
