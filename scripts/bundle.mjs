// Joins the compiled command line and what it imports into few files: Node takes most of the time until a gateway listens
// to load the seven hundred it is written in. What commands import when they run stays apart.
//   node scripts/bundle.mjs [dist] [--maps]
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { noticesOf } from './notices.mjs'
import { vendor } from './vendor.mjs'

// The real path, since modules are named by theirs.
const [given] = process.argv.slice(2).filter((argument) => argument !== '--maps')
// For the coverage of processes; the package has none.
const hasMaps = process.argv.includes('--maps')
const dist = realpathSync(given ?? fileURLToPath(new URL('../dist', import.meta.url)))
const cli = join(dist, 'cli')
const isOurs = (id) => id.startsWith(dist + sep)

/** What the library uses too stays beside us: one file a package, and the words of search, which are data. */
const shared = {
  name: 'shared-stays',
  resolveId: (id) => {
    const [, name] = /\/(vendor\/[\w-]+\.js|data\/zh-en\.js)$/.exec(id) ?? []
    const path = name?.startsWith('data/') ? `search/${name}` : name
    return path ? { id: `../${path}`, external: true } : undefined
  },
}

/** Small modules that import each other at most. */
const floor = [
  'model/[^.]+',
  'errors',
  'fleet/peers',
  'http/(?:answer|language|page-headers|status)',
  'mcp/rpc-error',
  'schema/canonical',
  'serving/(?:error-words|locale|public-address|tls-files)',
  'storage/process-identity',
  'telemetry/(?:appending|deed|logger|plain-text|secret-names)',
]
/** Small ones that every gateway loads, and that something loaded later wants as well: one file for all of them. */
const isBeside =
  /\/dist\/(?:config\/override-secrets|faces\/search-words|invocation\/waiting\/not-ours|sandbox\/(?:definition|limits)|schema\/member|sources\/script-surroundings|telemetry\/json-bytes)\.js$/
const isFloor = new RegExp(`/dist/(?:${floor.join('|')})\\.js$`)

/** A module finds the files beside it from its own address, which in a bundle would be the bundle's. */
const addressesStay = {
  name: 'addresses-stay',
  transform: (code, id) => {
    if (!isOurs(id) || !code.includes('import.meta.url')) return undefined
    const from = JSON.stringify(`./${relative(cli, id).replaceAll(sep, '/')}`)
    return { code: code.replaceAll('import.meta.url', `new URL(${from}, import.meta.url).href`), map: null }
  },
}

/** Leads the bundle's map through the compiler's to the lines that were written. */
const mapsGoOn = {
  name: 'maps-go-on',
  load: (id) =>
    hasMaps && isOurs(id)
      ? { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
      : undefined,
}

const inVendor = await vendor(dist)
const bundle = await rolldown({
  // The program by itself is what the reference in docs/cli.md is made from.
  input: { main: join(cli, 'main.js'), program: join(cli, 'program.js') },
  platform: 'node',
  // Some packages have a build for bundlers beside one that requires its own files in a way no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
  // The SDK is wanted only where a source asks for a sign-in.
  external: [/^node:/, 'libsql', '@modelcontextprotocol/client'],
  plugins: [shared, mapsGoOn, addressesStay],
})
// Names and lines stay as they were written, so that a stack trace can be read without a source map.
const { output } = await bundle.generate({
  dir: cli,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  // What nearly everything stands on is two files, not forty of a few hundred bytes: what every command loads, and the rest.
  codeSplitting: {
    groups: [
      { name: 'ground', test: isFloor, tags: ['$initial'], priority: 1 },
      { name: 'floor', test: isFloor, minShareCount: 16 },
      { name: 'beside', test: isBeside },
    ],
  },
  comments: { legal: true, annotation: false, jsdoc: false },
  sourcemap: hasMaps && 'hidden',
})
await bundle.close()

/** A file with one Chinese character is kept in memory at two bytes for each of its characters; escaped, at one. */
const plainText = (code, fileName) => {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error(`${fileName}: raw text cannot be escaped`)
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

rmSync(cli, { recursive: true })
mkdirSync(cli)
const chunks = output.filter(({ type }) => type === 'chunk')
for (const { fileName, code, map } of chunks) {
  // Maps count columns of what was written.
  writeFileSync(join(cli, fileName), hasMaps ? code : plainText(code, fileName))
  if (map) writeFileSync(join(cli, `${fileName}.map`), JSON.stringify({ ...map, sourcesContent: undefined }))
}
const theirs = [...inVendor, ...chunks.flatMap(({ moduleIds }) => moduleIds)].filter((id) => !isOurs(id))
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), noticesOf(theirs))
