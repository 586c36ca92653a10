import type { ChildCommand } from './command.js'

/** Programs that fetch what they run when it is not here yet, with the words that make them do it; none: any. */
const fetching: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  pnpx: [],
  bunx: [],
  uvx: [],
  npm: ['exec', 'x'],
  pnpm: ['dlx'],
  yarn: ['dlx'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pipx: ['run'],
  docker: ['run'],
  podman: ['run'],
}

/** What a command may take until it serves. Two minutes where it may have to download itself first: 21 s were seen, and networks are slower. */
export const startTimeoutOf = (command: Pick<ChildCommand, 'command' | 'args'>): number =>
  fetcherOf(command) === undefined ? 30_000 : 120_000

/** Fetches packages and runs them below itself, or in its own place. The others hand over to a service, which shows nothing of it. */
export const isFetcher = (name: string): boolean => Object.hasOwn(fetching, name) && !/^(?:docker|podman)$/.test(name)

/** The name of the program that may download what this command runs; undefined for one that is simply started. */
export const fetcherOf = ({ command, args = [] }: Pick<ChildCommand, 'command' | 'args'>): string | undefined => {
  const name = (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:cmd|exe|bat|ps1)$/i, '').toLowerCase()
  // As Windows has it, where npx is no program but a script for the shell.
  if (name === 'cmd' && /^\/c$/i.test(args[0] ?? '')) return fetcherOf({ command: args[1] ?? '', args: args.slice(2) })
  const words = Object.hasOwn(fetching, name) ? fetching[name]! : undefined
  return words && (words.length === 0 || words.includes(args[0] ?? '')) ? name : undefined
}
