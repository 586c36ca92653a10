// Joins each package that both the library and the command line use into one file, dist/vendor/NAME.js, and leads all imports
// there. Installed beside us they would be there twice, once for the library and once inside the bundled command line, and the
// command line by itself would load a hundred files of them before it listens (90 ms of 330, measured).
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** By package, what we import of it: bundlers cannot see the names of those that are written in CommonJS. */
const shared = {
  jose: ['createLocalJWKSet', 'errors', 'jwtVerify'],
  'jsonc-parser': ['applyEdits', 'findNodeAtLocation', 'modify', 'parse', 'parseTree', 'printParseErrorCode', 'visit'],
  'lru-cache': ['LRUCache'],
  // What is used of it is found in our own files.
  oauth4webapi: [],
  pg: ['Client', 'Pool'],
  'smol-toml': ['parse', 'stringify', 'TomlError'],
  undici: ['Agent', 'EnvHttpProxyAgent', 'FormData', 'ProxyAgent'],
  ws: ['WebSocket', 'WebSocketServer'],
  yaml: ['LineCounter', 'parse', 'parseDocument'],
  zod: ['z'],
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes the files and changes the imports of everything below `dist`. Gives the paths of what is inside. */
export const vendor = async (dist) => {
  const folder = join(dist, 'vendor')
  const files = readdirSync(dist, { recursive: true }).map((name) => join(dist, name))
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: Object.fromEntries(Object.keys(shared).map((name) => [name, `vendored:${name}`])),
    platform: 'node',
    resolve: {
      // Some packages have a build for bundlers beside one that requires its own files in a way no bundler can follow.
      mainFields: ['module', 'main'],
      alias: { undici$: join(root, 'scripts', 'undici-parts.cjs') },
    },
    external: [/^node:/],
    plugins: [entriesFor(membersOf(files, 'zod', 'z'), membersOf(files, 'oauth4webapi', 'oauth'))],
  })
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { legal: true, annotation: true, jsdoc: false },
  })
  await bundle.close()
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code)
  copyTypes(folder)
  for (const file of files) redirect(file, folder)
  return output.flatMap(({ moduleIds }) => moduleIds)
}

/** One entry per package, with the names that we use. */
const entriesFor = (zod, oauth) => ({
  name: 'vendored-entries',
  resolveId: (id) => (id.startsWith('vendored:') ? join(root, `${id.replace(':', '-')}.mjs`) : undefined),
  load: (id) => {
    const [, name] = /vendored-([\w-]+)\.mjs$/.exec(id) ?? []
    if (name === 'zod')
      return `import * as all from 'zod'\nexport const z = { ${zod.map((each) => `${quoted(each)}: all.${each}`).join(', ')} }`
    if (name === 'oauth4webapi') return `export { ${oauth.join(', ')} } from '${name}'`
    return name && `export { ${shared[name].join(', ')} } from '${name}'`
  },
})

const quoted = (name) => JSON.stringify(name)

/** What we use of a package by the name that it has in our files: all of Zod would bring forty languages along, two thirds of it. */
const membersOf = (files, name, as) => {
  const texts = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(file, 'utf8'))
  const users = texts.filter((text) => new RegExp(`(?:from |import\\()'${name}'`).test(text))
  const members = new RegExp(`\\b${as}\\s*\\.(\\w+)`, 'g')
  return [...new Set(users.flatMap((text) => [...text.matchAll(members)].map(([, member]) => member)))].sort()
}

/** Our declarations name types of Zod's; trim-declarations.mjs leaves what they lead to. */
const copyTypes = (folder) => {
  const zod = join(root, 'node_modules', 'zod')
  const isType = (path) => !/\.[^/\\]+$/.test(path) || path.endsWith('.d.ts')
  cpSync(join(zod, 'v4'), join(folder, 'types', 'v4'), { recursive: true, filter: isType })
  writeFileSync(join(folder, 'zod.d.ts'), "export * as z from './types/v4/classic/external.js'\n")
  writeFileSync(join(folder, 'undici.d.ts'), '/** An HTTP client of undici. */\nexport type Dispatcher = object\n')
}

const names = Object.keys(shared).join('|')
const specifiers = new RegExp(`(from |import\\()(['"])(${names})\\2`, 'g')

const redirect = (file, folder) => {
  if (!/\.(?:js|d\.ts)$/.test(file) || file.startsWith(folder + sep)) return
  const text = readFileSync(file, 'utf8')
  const to = relative(dirname(file), folder).split(sep).join('/')
  const from = to.startsWith('.') ? to : `./${to}`
  const changed = text.replaceAll(specifiers, (_, verb, quote, name) => `${verb}${quote}${from}/${name}.js${quote}`)
  if (changed !== text) writeFileSync(file, changed)
}
