import { existsSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** How this program came to this machine. */
export interface Installation {
  /**
   * `once`: fetched for one run into a cache that is emptied at times. `global`: for this user or machine. `local`: in the
   * `node_modules` of a project. `clone`: its repository. `container`: an image.
   */
  readonly kind: 'once' | 'global' | 'local' | 'clone' | 'container'
  /** The folder of the package. */
  readonly root: string
  /** The project that has it, where one does. */
  readonly project?: string | undefined
  /** Who installed it. */
  readonly by: 'npm' | 'pnpm' | 'yarn' | 'bun'
}

/** Told by where the script lies; `isThere` answers for the few files that say more. */
export const installationOf = (script: string, isThere: (file: string) => boolean = existsSync): Installation => {
  const root = dirname(dirname(dirname(script)))
  const path = root.split(sep).join('/')
  if (/\/_npx\/|\/dlx-[^/]+\/|\/pnpm\/dlx\/|\/bunx-[^/]+\//.test(`${path}/`))
    return { kind: 'once', root, by: runnerOf(path) }
  // Where ops/Dockerfile puts it; in a container of another's making it may be installed in any way.
  if (path.startsWith('/app/') && ['/.dockerenv', '/run/.containerenv'].some(isThere))
    return { kind: 'container', root, by: 'npm' }
  if (!path.includes('/node_modules/')) return { kind: 'clone', root, by: 'npm' }
  const holder = path.slice(0, path.indexOf('/node_modules/'))
  if (/\/pnpm\/global\//.test(path)) return { kind: 'global', root, by: 'pnpm' }
  if (/\/yarn\/global\//.test(path)) return { kind: 'global', root, by: 'yarn' }
  if (/\/\.bun\/install\/global\//.test(path)) return { kind: 'global', root, by: 'bun' }
  // npm keeps what is global in `lib` of its prefix, on Windows in the prefix itself, which is its own folder.
  const isGlobal = !isThere(join(holder, 'package.json')) && /^(?:lib|npm|nodejs)$/i.test(basename(holder))
  if (isGlobal) return { kind: 'global', root, by: 'npm' }
  return { kind: 'local', root, project: holder, by: lockedBy(holder, isThere) }
}

const runnerOf = (path: string): Installation['by'] => {
  if (path.includes('/_npx/')) return 'npm'
  return /\/bunx-/.test(path) ? 'bun' : 'pnpm'
}

const locks: readonly (readonly [file: string, by: Installation['by']])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]

const lockedBy = (project: string, isThere: (file: string) => boolean): Installation['by'] =>
  locks.find(([file]) => isThere(join(project, file)))?.[1] ?? 'npm'
