import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { keychainOf } from './keychain.js'
import { expandHome } from './layers.js'
import type { ConfigNote } from './problems.js'
import { distinctReferences } from './referenced.js'
import { runProgram } from './run-program.js'
import { type Environment, type LookUps, type Reference, referenceKey, splitCommand } from './variables.js'

export interface LookUpOptions {
  /** Where relative paths start, and where commands run: the folder of the file. */
  readonly folder: string
  readonly env: Environment
  /** What was looked up before, where the file that names it has not changed: commands and keychains are not asked again. */
  readonly before?: LookUps | undefined
  /** Whose keychain. Default: that of this machine. */
  readonly platform?: NodeJS.Platform | undefined
  /** For one command or keychain. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/** What the references of a configuration stand for. */
export interface LookedUp {
  readonly values: LookUps
  /** The files that were read or looked for: a change of one is a change of the configuration. */
  readonly files: readonly string[]
  /** Every value that was found: never to be seen again (T23). */
  readonly secrets: readonly string[]
  /** Names all of it together. */
  readonly hash: string
  readonly notes: readonly ConfigNote[]
}

/** Of one file, or of what one command prints. */
const maxBytes = 64 * 1024
/** A configuration that names more is a mistake, or wants to start a crowd. */
const maxReferences = 64

type Found = { readonly value: string } | { readonly problem: string }

/**
 * Reads the files, runs the commands and asks the keychain that a configuration names, all at once and each once. What cannot
 * be had is a sentence for whoever needs it, never an error of all (F28).
 */
export const lookUp = async (config: unknown, options: LookUpOptions): Promise<LookedUp> => {
  const wanted = distinctReferences(config)
  const notes: ConfigNote[] = []
  const found = await Promise.all(
    wanted.map(async (reference, index): Promise<readonly [string, Found]> => {
      const key = referenceKey(reference)
      if (index >= maxReferences)
        return [key, { problem: `\${${key}} is not looked up: a configuration may name ${maxReferences} of these` }]
      const known = reference.from === 'file' ? undefined : options.before?.get(key)
      if (known && 'value' in known) return [key, known]
      return [key, checked(reference, await lookers[reference.from](reference.what, options, notes))]
    }),
  )
  const values = new Map(found)
  return {
    values,
    files: wanted.filter(({ from }) => from === 'file').map(({ what }) => pathOf(what, options)),
    secrets: found.flatMap(([, each]) => ('value' in each ? [each.value] : [])),
    hash: found.length === 0 ? '' : createHash('sha256').update(JSON.stringify(found)).digest('hex'),
    notes,
  }
}

type Look = (what: string, options: LookUpOptions, notes: ConfigNote[]) => Promise<Buffer | string>

/** A string is what went wrong. */
const checked = (reference: Reference, bytes: Buffer | string): Found => {
  const name = `\${${referenceKey(reference)}}`
  if (typeof bytes === 'string') return { problem: `${name} has no value: ${bytes}` }
  const text = decode(bytes)
  if (text === undefined) return { problem: `${name} has no value: it is not text in UTF-8, or holds a NUL` }
  // As a shell does: editors and `echo` end a line, and no password means it.
  const value = text.replace(/(?:\r?\n)+$/, '')
  return value === '' ? { problem: `${name} has no value: it is empty` } : { value }
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const readSecretFile: Look = async (what, options, notes) => {
  const path = pathOf(what, options)
  try {
    // Before opening: to open a FIFO is to wait for its writer.
    if (!(await stat(path)).isFile()) return 'it is no regular file'
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const { mode } = await handle.stat()
      if ((mode & 0o004) !== 0 && process.platform !== 'win32' && !isMounted(path))
        notes.push({ path: `\${file:${what}}`, message: 'can be read by every user of this machine; chmod 600 it' })
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
      return bytesRead > maxBytes ? `it is larger than ${maxBytes} bytes` : buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    return fileTroubles[code] ?? `it cannot be read (${code})`
  }
}

const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOTDIR: 'a part of its path is a file, not a folder',
}

// Where containers get theirs, world-readable as they are made.
const isMounted = (path: string): boolean => /^\/(?:var\/)?run\/secrets\//.test(path)

const pathOf = (what: string, { folder, env }: LookUpOptions): string => resolve(folder, expandHome(what, env))

const limitsOf = ({ folder, env, timeoutMs = 10_000 }: LookUpOptions) => ({ cwd: folder, env, timeoutMs, maxBytes })

const runCommand: Look = async (what, options) => {
  const argv = splitCommand(what) ?? []
  const end = await runProgram(argv, limitsOf(options))
  if (end.type === 'printed') return end.output
  return end.type === 'absent' ? `there is no program '${argv[0]}' here` : end.reason
}

const askKeychain: Look = async (what, options) => {
  const at = what.lastIndexOf('/')
  const [service, account] = [what.slice(0, at), what.slice(at + 1)]
  const keychain = keychainOf(options.platform ?? process.platform)
  if (keychain === undefined) return `this platform has no keychain that can be asked; write \${cmd:…} or \${file:…}`
  const end = await runProgram(keychain.argv(service, account), limitsOf(options))
  if (end.type === 'printed') return end.output
  if (end.type === 'absent') return keychain.absent
  return end.exitCode === keychain.notFound ? keychain.store(service, account) : end.reason
}

const lookers: Readonly<Record<Reference['from'], Look>> = {
  file: readSecretFile,
  cmd: runCommand,
  keychain: askKeychain,
}
