import type { Bundle } from './bundle.js'
import { nameProblem } from './entry-names.js'
import type { BundleServerType, LaunchWords, Manifest } from './manifest.js'
import { quoted, refused } from './refusal.js'

/** What starts the server: a program of this machine that bundles of its type run by, or a file of the bundle. */
export type Starter =
  | { readonly kind: 'runtime'; readonly command: string }
  | { readonly kind: 'file'; readonly file: string }

/** Programs of this machine that a bundle may be started by. A shell is none of them. */
const runtimes: Readonly<Record<BundleServerType, RegExp>> = {
  node: /^(?:node|nodejs|npx|bun|deno)(?:\.exe|\.cmd)?$/,
  python: /^(?:python(?:3(?:\.\d{1,2})?)?|py|uv|uvx)(?:\.exe)?$/,
  uv: /^uvx?(?:\.exe)?$/,
  // Has what it needs inside.
  binary: /^(?!)/,
}

/** Refuses what is neither: who means it writes the source by hand. */
export const starterOf = (manifest: Manifest, platform: NodeJS.Platform): Starter => {
  const { type } = manifest.server
  const command = wordsFor(manifest, platform).command!
  if (runtimes[type].test(command)) return { kind: 'runtime', command }
  const file = inside(command)
  if (file !== undefined && (file.includes('/') || type === 'binary')) return { kind: 'file', file }
  throw refused(
    `it starts ${quoted(command)}, which is neither a file of it nor what a bundle of the type ${type} runs by; if you mean it, unpack it and write the source yourself`,
    `它启动 ${quoted(command)}，这既不是包内文件，也不是 ${type} 类型的扩展包所用的程序；若确有此意，请自行解压并编写来源`,
  )
}

/** Whether it can run here: its platform, its entry point, and what starts it. */
export const assertRunnable = ({ manifest, entries }: Contents, platform: NodeJS.Platform): void => {
  const platforms = manifest.compatibility?.platforms
  if (platforms && !platforms.includes(platform))
    throw refused(
      `it is for ${platforms.map(quoted).join(', ')}, and this is ${platform}`,
      `它适用于 ${platforms.map(quoted).join('、')}，而本机是 ${platform}`,
    )
  const files = new Set(entries.flatMap(({ name, kind }) => (kind === 'file' ? [name] : [])))
  const isThere = (file: string): boolean => files.has(file) || (platform === 'win32' && files.has(`${file}.exe`))
  const entry = inside(manifest.server.entry_point)
  if (entry === undefined || !isThere(entry))
    throw refused(
      `its entry point ${quoted(manifest.server.entry_point)} is not in it`,
      `入口 ${quoted(manifest.server.entry_point)} 不在包内`,
    )
  const starter = starterOf(manifest, platform)
  if (starter.kind === 'file' && !isThere(starter.file))
    throw refused(
      `it starts ${quoted(starter.file)}, which is not in it`,
      `它启动 ${quoted(starter.file)}，但该文件不在包内`,
    )
}

/** The files that may be run: what is started, and what a binary bundle says is its entry. No other is made a program. */
export const programsOf = ({ manifest, entries }: Contents, platform: NodeJS.Platform): ReadonlySet<string> => {
  const starter = starterOf(manifest, platform)
  const named = [
    ...(starter.kind === 'file' ? [starter.file] : []),
    ...(manifest.server.type === 'binary' ? [inside(manifest.server.entry_point)] : []),
  ]
  return new Set(entries.flatMap(({ name, kind }) => (kind === 'file' && named.includes(name) ? [name] : [])))
}

type Contents = Pick<Bundle, 'manifest' | 'entries'>

/** What is run on this platform: its own words before those for all. */
export const wordsFor = ({ server }: Manifest, platform: NodeJS.Platform): LaunchWords => {
  const all = server.mcp_config ?? uvWords(server.entry_point)
  const overrides = server.mcp_config?.platform_overrides ?? {}
  const own = Object.hasOwn(overrides, platform) ? overrides[platform] : undefined
  return { command: own?.command ?? all.command, args: own?.args ?? all.args, env: { ...all.env, ...own?.env } }
}

const here = `\${__dirname}`

const uvWords = (entry: string): LaunchWords => ({
  command: 'uv',
  args: ['run', '--directory', here, `${here}/${entry}`],
})

/** A path of the manifest as the name of a file in the archive; undefined where it lies elsewhere or names no file. */
const inside = (path: string): string | undefined => {
  const name = path.replace(/^\$\{__dirname\}\/+/, '').replace(/^(?:\.\/+)+/, '')
  return nameProblem(name) === undefined && !name.includes('${') ? name : undefined
}
