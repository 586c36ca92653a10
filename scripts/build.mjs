// Compiles src/ and the console into dist/ afresh, and bundles the command line, so that a deleted file never lingers in the package.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stampFile, stateOfSources } from './sources-state.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
// Taken first: what is edited while this runs is not in it.
const state = stateOfSources()
rmSync(stampFile, { force: true })
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
const steps = [
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  ['node_modules/vite/bin/vite.js', 'build', 'console', '--config', 'console/vite.config.ts', '--logLevel', 'warn'],
  ['scripts/bundle.mjs'],
  ['scripts/trim-declarations.mjs'],
]
for (const step of steps) {
  // Whatever runs this may have set another environment, which would bring React's own checks along.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
// The compiler moves code only; the search model is data, with its notices. Its weights are code.
cpSync(new URL('../src/search/model/data', import.meta.url), new URL('../dist/search/model/data', import.meta.url), {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
})
mkdirSync(dirname(stampFile), { recursive: true })
writeFileSync(stampFile, state)
