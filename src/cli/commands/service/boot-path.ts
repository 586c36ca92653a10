import { statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path'

export interface BootPathOptions {
  /** The PATH of the shell that installs. */
  readonly path: string
  /** The program that runs us; what lies beside it (npm, npx) goes before everything else. */
  readonly node: string
  readonly home: string
  /** Folders that are gone after a restart: the temporary one, and the one of this session. */
  readonly passing: readonly string[]
}

/** Where people's tools are that a service manager knows nothing of. */
const usual = [
  ...[
    '~/.local/bin',
    '~/bin',
    '~/.bun/bin',
    '~/.cargo/bin',
    '~/.asdf/shims',
    '~/.local/share/mise/shims',
    '~/.volta/bin',
  ],
  ...['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/snap/bin'],
  ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'],
]

/**
 * The folders in which a service looks for `npx`, `uvx` and `docker`: node's own first, then the shell's, then the usual.
 * Only whole paths of folders that exist, that last longer than this shell, and that not everybody may write to.
 */
export const bootPath = ({ path, node, home, passing }: BootPathOptions): readonly string[] => {
  const all = [...path.split(delimiter), ...usual.map((folder) => folder.replace(/^~/, home))]
  const clean = all.map((folder) => (folder.length > 1 ? folder.replace(/[/\\]+$/, '') : folder))
  const kept = clean.filter((folder) => isAbsolute(folder) && lasts(folder, passing) && isTrusted(folder))
  return [...new Set([dirname(node), ...kept])]
}

const lasts = (folder: string, passing: readonly string[]): boolean =>
  !passing.some((gone) => gone !== '' && `${folder}${sep}`.startsWith(`${gone.replace(/[/\\]+$/, '')}${sep}`)) &&
  // npm puts these before everything while it runs a script.
  !folder.includes(join('node_modules', '.bin')) &&
  !folder.includes('node-gyp-bin') &&
  !/[\p{Cc}"]/u.test(folder)

/** Whoever may write there decides what runs as us. */
const isTrusted = (folder: string): boolean => {
  try {
    const stats = statSync(folder)
    return stats.isDirectory() && (process.platform === 'win32' || (stats.mode & 0o002) === 0)
  } catch {
    return false
  }
}
