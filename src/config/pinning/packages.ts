import { isPath, runners } from './runners.js'

/** What a command fetches and runs. */
export interface Packages {
  /** The program that fetches. */
  readonly runner: string
  /** What it fetches, as it stands in the command. */
  readonly names: readonly string[]
  /** Those of them that say no exact version: tomorrow they may be something else. */
  readonly loose: readonly string[]
}

/**
 * What this command would fetch, or undefined where it starts a program of this machine. Wrappers and shells are looked
 * through; where it cannot be told what is fetched, `names` is empty.
 */
export const packagesOf = (words: readonly string[], depth = 0): Packages | undefined => {
  const [command, ...args] = words
  if (command === undefined || depth > deepest) return undefined
  const name = baseName(command)
  const runner = Object.hasOwn(runners, name) ? runners[name]! : undefined
  const fetched = runner?.(args)
  if (fetched !== undefined) {
    const { names, isExact } = fetched
    if (names.length > 0 && names.every(isPath)) return undefined
    return { runner: name, names, loose: names.filter((each) => !isExact(each)) }
  }
  if (runner !== undefined) return undefined
  return inside(name, args, depth)
}

const deepest = 8

/** Programs that start another: what they start stands among their words. */
const wrappers: ReadonlySet<string> = new Set(
  (
    'env nice nohup timeout time stdbuf setsid sudo doas ionice taskset chrt chroot unshare bwrap firejail systemd-run xvfb-run dbus-run-session caffeinate ' +
    'start wsl op doppler dotenv dotenvx infisical mise asdf volta fnm nvm direnv devbox corepack winpty script tini dumb-init'
  ).split(' '),
)
const shells: ReadonlySet<string> = new Set('sh bash zsh dash ksh ash fish cmd powershell pwsh busybox'.split(' '))
/** In a line for a shell, these bring something from elsewhere as well. */
const fetchers: ReadonlySet<string> = new Set(
  'curl wget pip pip3 git npm pnpm yarn gem cargo brew apt apt-get apk'.split(' '),
)

/** What stands inside a wrapper's or a shell's words. */
const inside = (name: string, args: readonly string[], depth: number): Packages | undefined => {
  if (shells.has(name)) {
    const words = args.flatMap((arg) => arg.split(/[\s;&|()<>`$"']+/)).filter((word) => word !== '')
    for (const [at, word] of words.entries()) {
      if (fetchers.has(baseName(word)) && !Object.hasOwn(runners, baseName(word)))
        return { runner: baseName(word), names: [], loose: [] }
      const found = isRunner(word) ? packagesOf(words.slice(at), depth + 1) : undefined
      if (found) return found
      // `npm install x && …` runs nothing itself, and what follows is what it brought.
      if (fetchers.has(baseName(word))) return { runner: baseName(word), names: [], loose: [] }
    }
    return undefined
  }
  if (!wrappers.has(name)) return undefined
  const at = args.findIndex((word) => isRunner(word) || shells.has(baseName(word)) || wrappers.has(baseName(word)))
  return at < 0 ? undefined : packagesOf(args.slice(at), depth + 1)
}

const isRunner = (word: string): boolean => Object.hasOwn(runners, baseName(word))

const baseName = (command: string): string =>
  (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:cmd|exe|bat|ps1)$/i, '').toLowerCase()
