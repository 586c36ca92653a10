import { createHash } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/schema.js'
import { makeFolder } from '../../model/make-folder.js'
import type { AskedInput } from '../../registries/inputs.js'
import type { PlannedSecret } from '../../registries/plan.js'

/** Where the secrets of sources go that were typed when they were added: never into the configuration. */
export interface SecretPlace {
  /** What is written into the configuration in the place of a secret of this source. */
  reference(source: string, input: AskedInput): string
  /** Keeps them; the answer takes them back. */
  keep(source: string, secrets: readonly PlannedSecret[]): Promise<() => Promise<void>>
  /** What a source had that is gone. */
  forget(source: string): Promise<void>
  /** Variables that somebody has to set, where nothing can be kept here. */
  readonly isElsewhere: boolean
}

/**
 * Files in the data folder that only their owner reads, named by `${file:…}`. Where changes go to all replicas of a fleet, or
 * nothing is kept, a file of this machine would be missing elsewhere: then a variable is named, and its value is not kept.
 */
export const secretPlaceOf = ({ storage }: Pick<Config, 'storage'>): SecretPlace =>
  storage.backend === 'memory' || (storage.backend === 'postgres' && !storage.fileOnly)
    ? inVariables
    : inFiles(join(storage.path, 'source-secrets'))

const inFiles = (folder: string): SecretPlace => {
  const fileOf = (source: string, { key }: AskedInput): string => join(folder, slug(source), slug(key))
  return {
    isElsewhere: false,
    reference: (source, input) => `\${file:${fileOf(source, input)}}`,
    keep: async (source, secrets) => {
      const before = new Map<string, string | undefined>()
      const undo = async (): Promise<void> => {
        for (const [file, text] of before)
          if (text === undefined) await rm(file, { force: true })
          else await writePrivately(file, text)
      }
      try {
        await makeFolder(join(folder, slug(source)))
        for (const { input, value } of secrets) {
          const file = fileOf(source, input)
          before.set(file, await readFile(file, 'utf8').catch(() => undefined))
          await writePrivately(file, `${value}\n`)
        }
      } catch (error) {
        await undo()
        throw error
      }
      return undo
    },
    forget: (source) => rm(join(folder, slug(source)), { recursive: true, force: true }),
  }
}

const inVariables: SecretPlace = {
  isElsewhere: true,
  reference: (source, { name }) =>
    `\${${`${source}_${name}`
      .replace(/\W+/g, '_')
      .replace(/^(?=\d)/, '_')
      .toUpperCase()}}`,
  keep: async () => async () => {},
  forget: async () => {},
}

/** Never readable by others, not even for a moment. */
const writePrivately = async (file: string, text: string): Promise<void> => {
  await rm(file, { force: true })
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A name of a file: readable, and another one for another text. */
const slug = (text: string): string => {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[.]+/, '_')
  return plain === text && text.length <= 64
    ? text
    : `${plain.slice(0, 48)}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}
