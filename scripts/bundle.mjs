// Joins the compiled command line and what it imports into few files: Node takes most of the time until a gateway listens
// to load the seven hundred it is written in. What commands import when they run stays apart.
//   node scripts/bundle.mjs [dist]
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { noticesOf } from './notices.mjs'

// The real path, since modules are named by theirs.
const dist = realpathSync(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)))
const cli = join(dist, 'cli')
const isOurs = (id) => id.startsWith(dist + sep)

/** A module finds the files beside it from its own address, which in a bundle would be the bundle's. */
const addressesStay = {
  name: 'addresses-stay',
  transform: (code, id) => {
    if (!isOurs(id) || !code.includes('import.meta.url')) return undefined
    const from = JSON.stringify(`./${relative(cli, id).replaceAll(sep, '/')}`)
    return { code: code.replaceAll('import.meta.url', `new URL(${from}, import.meta.url).href`), map: null }
  },
}

const bundle = await rolldown({
  // The program by itself is what the reference in docs/cli.md is made from.
  input: { main: join(cli, 'main.js'), program: join(cli, 'program.js') },
  platform: 'node',
  // Some packages have a build for bundlers beside one that requires its own files in a way no bundler can follow.
  resolve: {
    mainFields: ['module', 'main'],
    alias: { undici$: fileURLToPath(new URL('undici-parts.cjs', import.meta.url)) },
  },
  // The SDK is wanted only where a source asks for a sign-in.
  external: [/^node:/, 'libsql', '@modelcontextprotocol/client'],
  plugins: [addressesStay],
})
// Names and lines stay as they were written, so that a stack trace can be read without a source map.
const { output } = await bundle.generate({
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { legal: true, annotation: false, jsdoc: false },
})
await bundle.close()

rmSync(cli, { recursive: true })
mkdirSync(cli)
for (const { fileName, code } of output) writeFileSync(join(cli, fileName), code)
const theirs = output.flatMap(({ moduleIds }) => moduleIds).filter((id) => !isOurs(id))
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(theirs))
