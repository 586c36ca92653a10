import { messageOf } from '../errors.js'
import { isRecord } from '../model/json.js'
import { parseClientText } from './parse.js'
import { inOurWords, type PastedServer, readCommands } from './pasted-command.js'
import type { PasteProblem } from './shell-words.js'
import { suggestName } from './suggest-name.js'

/** What was understood of a text. */
export interface Pasted {
  readonly form: 'json' | 'toml' | 'command' | 'url' | 'nothing'
  readonly servers: readonly PastedServer[]
  readonly problems: readonly PasteProblem[]
}

/** Longer than any README's snippet, and than most configuration files. */
const longest = 256 * 1024
const mostServers = 200

/**
 * Reads what people copy from a server's README: JSON of any client (comments, trailing commas, a fragment without its
 * braces), TOML, a command line, or an address. Nothing is run and nothing is resolved.
 */
export const readPasted = async (text: string): Promise<Pasted> => {
  const plain = unfenced(text.replace(/^\ufeff/, '')).trim()
  if (plain === '') return { form: 'nothing', servers: [], problems: [] }
  if (text.length > longest) return { form: 'nothing', servers: [], problems: [tooLong] }
  if (/^(?:https?|wss?):\/\/\S+$/i.test(plain)) return readAddress(plain)
  if (/^\s*\[+\s*["\w][\w.'"-]*\s*\]+\s*$/m.test(plain) && !plain.startsWith('{')) return readText(plain, 'toml')
  if (/^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[{["]/.test(plain)) return readText(plain, 'json')
  const read = await readCommands(plain)
  return {
    form: 'command',
    servers: read.flatMap((each) => ('server' in each ? [each.server] : [])).slice(0, mostServers),
    problems: read.flatMap((each) => ('problem' in each ? [each.problem] : [])),
  }
}

const tooLong: PasteProblem = {
  en: 'This is longer than 256 KB. Paste the part with the servers, or import the file.',
  zh: '内容超过 256 KB。请只粘贴包含服务器的部分，或使用导入。',
}

/** What stands in a fence of Markdown, where there is one. */
const unfenced = (text: string): string => {
  const [, inner] = /^\s*(?:`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\s*(?:`{3,}|~{3,})\s*$/.exec(text) ?? []
  return inner ?? text
}

const readAddress = (url: string): Pasted => ({
  form: 'url',
  servers: [{ name: suggestName({ url }), entry: { url }, asked: [] }],
  problems: [],
})

const readText = async (text: string, form: 'json' | 'toml'): Promise<Pasted> => {
  try {
    // A fragment as READMEs have it: `"github": { … },`, to be put among others.
    const whole = form === 'json' && text.startsWith('"') ? `{${text}}` : text
    const servers = serversOf(await parseClientText({ format: form }, whole, form.toUpperCase()))
    return { form, servers: servers.slice(0, mostServers), problems: servers.length === 0 ? [noServers] : [] }
  } catch (error) {
    return { form, servers: [], problems: [broken(messageOf(error), form)] }
  }
}

const noServers: PasteProblem = {
  en: 'No server was found in it: none has a "command" or a "url".',
  zh: '其中没有找到服务器：没有任何一项包含 “command” 或 “url”。',
}

/** The parser speaks of a file; here there is none. */
const broken = (message: string, form: string): PasteProblem => {
  const [, line = '1', what = ''] = /:(\d+): (.*?)\. Repair that file/s.exec(message) ?? []
  const name = form.toUpperCase()
  return {
    en: `Line ${line} cannot be read as ${name}${what === '' ? '' : `: ${what}`}.`,
    zh: `第 ${line} 行无法作为 ${name} 读取${what === '' ? '' : `：${what}`}。`,
  }
}

/** The keys under which programs keep servers, those that hold others first. */
const sections = ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'sources', 'services'] as const
const holders = ['mcp', 'settings', 'amp.mcpServers'] as const

const serversOf = (value: unknown): readonly PastedServer[] => {
  if (Array.isArray(value)) return value.flatMap((each) => (isServer(each) ? [named(undefined, each)] : []))
  if (!isRecord(value)) return []
  if (isServer(value)) return [named(undefined, value)]
  const section = sections.find((key) => isRecord(value[key]) || Array.isArray(value[key]))
  if (section !== undefined) return byName(value[section])
  const holder = holders.find((key) => isRecord(value[key]) && !isServer(value[key]))
  // Of a holder both are possible: `mcp.servers` of VS Code, and `mcp` with the servers themselves.
  if (holder !== undefined) return serversOf(value[holder])
  return byName(value)
}

const byName = (section: unknown): readonly PastedServer[] =>
  isRecord(section)
    ? Object.entries(section).flatMap(([name, entry]) => (isServer(entry) ? [named(name, entry)] : []))
    : serversOf(section)

const telling = ['command', 'url', 'httpUrl', 'serverUrl', 'spec', 'module'] as const

const isServer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && telling.some((key) => typeof value[key] === 'string' || Array.isArray(value[key]))

const named = (name: string | undefined, written: Readonly<Record<string, unknown>>): PastedServer => {
  const { name: own, ...rest } = written
  const { entry, asked } = inOurWords(flat(name === undefined ? rest : written))
  const said = name ?? (typeof own === 'string' && own.trim() !== '' ? own.trim() : undefined)
  return { name: said ?? suggestName(entry), entry, asked }
}

/** OpenCode has the command and its arguments in one list, and calls variables `environment`. */
const flat = (entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { environment, ...rest } = entry
  const env = environment === undefined || rest.env !== undefined ? rest : { ...rest, env: environment }
  if (!Array.isArray(rest.command)) return env
  const [command, ...args] = rest.command
  return { ...env, command, args: [...args, ...(Array.isArray(rest.args) ? rest.args : [])] }
}
