import { readdirSync, readFileSync } from 'node:fs'
import { isFetcher } from './launcher.js'

/** Programs that those who fetch packages start while they fetch. */
const helpers: ReadonlySet<string> = new Set(
  'git ssh curl wget tar gzip unzip pip pip3 node-gyp make gcc cc cmake'.split(' '),
)

/** Scripts of packages that npm runs while it installs them; what npx was asked for runs as `npx`. */
const installing = /\0npm_lifecycle_event=(?:pre|post)?(?:install|prepare)\0/

/**
 * Whether a launcher is still fetching what it runs: it is itself, and nothing of the package runs below it yet. By
 * `/proc`; false where there is none, where the launcher became the package, and for whatever else cannot be told.
 */
export const isDownloading = (launcher: number): boolean => {
  const words = wordsOf(launcher)
  return words !== undefined && namesFetcher(words) && childrenOf(launcher, 0).every(isHelping)
}

const deepest = 4

const isHelping = (pid: number): boolean => {
  const words = wordsOf(pid)
  // Gone since it was listed, or about to: nobody's package.
  if (words === undefined || words.length === 0) return true
  if (namesFetcher(words)) return childrenOf(pid, 1).every(isHelping)
  return words.slice(0, 2).some((word) => helpers.has(word)) || isInstalling(pid)
}

/** Its first words, as names of programs: an interpreter may stand before a script's own. */
const namesFetcher = (words: readonly string[]): boolean => words.slice(0, words[0] === 'env' ? 3 : 2).some(isFetcher)

const wordsOf = (pid: number): readonly string[] | undefined => {
  try {
    // A program may write over its own line, as npm does, and puts spaces where the system has zeros.
    const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').slice(0, 4096)
    return line
      .split(/[\0 ]+/)
      .filter((word) => word !== '')
      .slice(0, 3)
      .map((word) => (word.split('/').at(-1) ?? '').replace(/(?:-cli)?\.[cm]?js$/, ''))
  } catch {
    return undefined
  }
}

const childrenOf = (pid: number, depth: number): readonly number[] => {
  if (depth >= deepest) return []
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

const isInstalling = (pid: number): boolean => {
  try {
    return installing.test(`\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`)
  } catch {
    return false
  }
}
