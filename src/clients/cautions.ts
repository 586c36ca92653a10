import { isRecord } from '../model/json.js'

const shells = /^(?:sh|bash|zsh|dash|fish|cmd|powershell|pwsh)(?:\.exe)?$/i
const interpreters = /^(?:node|python3?|ruby|perl|deno|bun|php)(?:\.exe)?$/i
const inline = new Set(['-c', '-e', '--eval', '-p', '--print', '/c', '-command', 'eval'])
const steering = /^(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PATH|BASH_ENV)$/

/**
 * What a person should look at before letting this run: an imported server is a program that somebody else wrote into a
 * file (T15, T17). Nothing is refused here; the decision is theirs.
 */
export const cautionsAbout = (entry: Readonly<Record<string, unknown>>): readonly string[] => {
  const { command, args, env, url } = entry
  const words = Array.isArray(args) ? args.filter((each): each is string => typeof each === 'string') : []
  const program = typeof command === 'string' ? (command.split(/[/\\]/).at(-1) ?? '') : ''
  return [
    ...(shells.test(program) ? ['runs a shell, which can run anything'] : []),
    ...(interpreters.test(program) && words.some((word) => inline.has(word.toLowerCase()))
      ? ['runs code that is written in its arguments']
      : []),
    ...unpinned(program, words),
    ...(isRecord(env) ? Object.keys(env) : [])
      .filter((name) => steering.test(name))
      .map((name) => `sets ${name}, which changes how programs load`),
    ...(typeof url === 'string' && /^(?:http|ws):/i.test(url) && !isLoopback(url)
      ? ['is reached without encryption']
      : []),
  ]
}

const unpinned = (program: string, words: readonly string[]): readonly string[] => {
  if (!/^(?:npx|uvx|bunx|pnpx)(?:\.cmd)?$/i.test(program)) return []
  const name = words.find((word) => !word.startsWith('-'))
  if (name === undefined || /.[@=]=?v?\d/.test(name) || /^[./]/.test(name)) return []
  return [`fetches whatever '${name}' is on the day it starts; name a version to keep it`]
}

const isLoopback = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
