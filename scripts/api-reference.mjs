// Writes docs/api-reference/ from the declarations of what the package exports: npm run docs; --check only looks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from './reference/api.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pagesFolder = join(root, 'docs/api-reference')

// Compiled afresh: a build may be older than the code.
const folder = mkdtempSync(join(tmpdir(), 'pegboard-api-'))
try {
  const tsc = [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--emitDeclarationOnly',
    '--outDir',
    folder,
  ]
  const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  const pages = apiPages(root, folder)
  const behind = Object.keys(pages).filter((page) => pages[page] !== textOf(page))
  const left = existsSync(pagesFolder) ? readdirSync(pagesFolder).filter((page) => !(page in pages)) : []
  if (process.argv.includes('--check')) {
    if (behind.length + left.length > 0) {
      console.error(`docs/api-reference is behind (${[...behind, ...left].join(', ')}): npm run docs`)
      process.exitCode = 1
    }
  } else {
    mkdirSync(pagesFolder, { recursive: true })
    for (const page of behind) writeFileSync(join(pagesFolder, page), pages[page])
    for (const page of left) rmSync(join(pagesFolder, page))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function textOf(page) {
  const file = join(pagesFolder, page)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
