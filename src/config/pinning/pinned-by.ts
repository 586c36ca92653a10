import type { SourceConfig } from '../schema.js'
import { type Packages, packagesOf } from './packages.js'

/**
 * Who decides what a source runs next time. `remote`: whoever answers at an address. `unpinned`: whoever publishes the package
 * or image that is fetched. `pinned`: the operator, by an exact version or a hash. `local`: the operator, whose program or file
 * of this machine it is.
 */
export interface Pinning {
  readonly how: 'remote' | 'unpinned' | 'pinned' | 'local'
  readonly reason: { readonly en: string; readonly zh: string }
}

/** Whether what a source runs can change without the operator, and why we think so. Pure: nothing is looked up. */
export const pinnedBy = (source: SourceConfig): Pinning => {
  if (source.type === 'stdio') return ofCommand([source.command, ...source.args])
  if (source.type === 'openapi') return isAddress(source.spec) ? remote : ownFile
  if ('url' in source) return remote
  return ownFiles.has(source.type) ? ownFile : unknown
}

const ownFiles: ReadonlySet<string> = new Set(['catalog', 'embedded', 'scripts'])

/** What is new at a source waits where somebody else decides what it is; see `newTools`. */
export const newToolsOf = (source: SourceConfig): 'hold' | 'note' => {
  if (source.type === 'misconfigured') return 'hold'
  if (source.newTools !== undefined) return source.newTools
  const { how } = pinnedBy(source)
  return how === 'remote' || how === 'unpinned' ? 'hold' : 'note'
}

const remote: Pinning = {
  how: 'remote',
  reason: { en: 'whoever answers at its address decides what it says', zh: '由其地址上的服务器决定内容' },
}
const ownFile: Pinning = {
  how: 'local',
  reason: { en: 'it is a file of this machine', zh: '它是本机上的文件' },
}
const unknown: Pinning = {
  how: 'unpinned',
  reason: { en: 'it is not known what it runs', zh: '不知道它运行什么' },
}

const ofCommand = (words: readonly string[]): Pinning => {
  const found = packagesOf(words)
  if (found === undefined)
    return {
      how: 'local',
      reason: { en: `'${shown(words[0]!)}' is a program of this machine`, zh: `“${shown(words[0]!)}”是本机上的程序` },
    }
  const bridge = found.names.find(isBridge)
  if (bridge !== undefined)
    return {
      how: 'remote',
      reason: {
        en: `'${shown(bridge)}' passes on what another server says`,
        zh: `“${shown(bridge)}”转发另一台服务器的内容`,
      },
    }
  return judged(found)
}

const judged = ({ runner, names, loose }: Packages): Pinning => {
  if (loose.length > 0)
    return {
      how: 'unpinned',
      reason: {
        en: `'${shown(runner)}' fetches '${shown(loose[0]!)}', which names no exact version`,
        zh: `“${shown(runner)}”获取“${shown(loose[0]!)}”，未指明确切版本`,
      },
    }
  const [first] = names
  if (first === undefined)
    return {
      how: 'unpinned',
      reason: {
        en: `it cannot be told what '${shown(runner)}' fetches`,
        zh: `无法判断“${shown(runner)}”会获取什么`,
      },
    }
  return {
    how: 'pinned',
    reason: { en: `'${shown(first)}' names one version`, zh: `“${shown(first)}”指明了一个版本` },
  }
}

/** Programs whose whole purpose is to speak for a server elsewhere: their own version says nothing of what it says. */
const bridges: ReadonlySet<string> = new Set([
  'mcp-remote',
  'mcp-proxy',
  'supergateway',
  'mcp-remote-proxy',
  'mcp-client-proxy',
  '@smithery/cli',
  '@pyroprompts/mcp-stdio-to-streamable-http-adapter',
])

const isBridge = (name: string): boolean => bridges.has(name.toLowerCase().replace(/(?!^)(?:@|==).*$/, ''))

const isAddress = (text: string): boolean => /^https?:/i.test(text.trim())

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
