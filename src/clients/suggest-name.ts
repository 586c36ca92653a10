const runners =
  /^(?:npx|bunx|pnpx|uvx|pipx|deno|bun|node|python3?|uv|npm|pnpm|yarn|docker|podman|go)(?:\.(?:exe|cmd))?$/i
/** Words between a runner and what it runs. */
const verbs = new Set(['run', 'exec', 'dlx', 'x', 'tool', 'start'])
/** Flags of runners that take a value of their own. */
const valued = new Set(['-p', '--package', '--from', '--with', '-e', '--env', '-v', '--volume', '--name', '--mount'])
const moreValued = new Set(['--network', '--entrypoint', '-w', '--workdir', '-u', '--user', '--directory', '--python'])
const labelled = new Set(['mcp', 'server', 'servers', 'api', 'www', 'app', 'docs', 'remote', 'sse', 'v1', 'com', 'io'])

/** A short name for a server that has none: by its package, its file, its image or its host. */
export const suggestName = (entry: Readonly<Record<string, unknown>>): string => {
  const url = [entry.url, entry.httpUrl, entry.serverUrl].find((each) => typeof each === 'string')
  if (typeof url === 'string') return byHost(url)
  const args = Array.isArray(entry.args) ? entry.args.filter((each): each is string => typeof each === 'string') : []
  const command = typeof entry.command === 'string' ? (entry.command.split(/[/\\]/).at(-1) ?? '') : ''
  return shortened(runners.test(command) ? (whatRuns(args) ?? command) : command) || 'server'
}

const whatRuns = (args: readonly string[]): string | undefined => {
  let module: string | undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!
    if (word === '-m') return args[at + 1]
    if (word === '--from' || word === '--package' || word === '-p') module ??= args[at + 1]
    if (valued.has(word) || moreValued.has(word)) at++
    else if (!word.startsWith('-') && !verbs.has(word)) return word
  }
  return module
}

const byHost = (url: string): string => {
  if (!URL.canParse(url)) return 'server'
  const { hostname } = new URL(url)
  if (/^(?:localhost|127\.|\[|\d+\.\d+\.\d+\.\d+$)/.test(hostname)) return 'local'
  const parts = hostname.split('.').slice(0, -1)
  return shortened(parts.findLast((part) => !labelled.has(part)) ?? hostname) || 'server'
}

/** `@modelcontextprotocol/server-github@1.2.0` is `github`, `mcp_server_time` is `time`. */
const shortened = (word: string): string => {
  const parts = word.split(/[/\\]/).filter((part) => part !== '')
  const named = /^(?:mcp|server|mcp-server)(?:@|$)/.test(parts.at(-1) ?? '') ? parts.at(-2) : undefined
  const plain = (named ?? parts.at(-1) ?? '')
    .replace(/^@/, '')
    .replace(/(?:@|==|:)[\w.^~*-]*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe|cmd|sh)$/i, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
  const bare = plain.replace(/^(?:mcp[-_]server|server|mcp)[-_]|[-_](?:mcp[-_]server|server|mcp)$/gi, '')
  return (bare || plain).replace(/^[-_]+|[-_]+$/g, '').slice(0, 64)
}
