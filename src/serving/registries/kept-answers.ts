import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../config/edit.js'
import { isRecord } from '../../model/json.js'
import { makeFolder } from '../../model/make-folder.js'
import type { KeptAnswer, RegistryCache } from '../../registries/client.js'

/** More are never of use to one person, and each may be a page. */
const mostFiles = 64
const mostBytes = 5 * 1024 * 1024

/**
 * Answers of registries in the data folder, a file each, so that a page that has not changed is not sent again. What cannot
 * be read or written is as if it had never been there: a cache is no reason to fail.
 */
export const keptAnswersIn = (dataFolder: string): RegistryCache => {
  const folder = join(dataFolder, 'registry-answers')
  const fileOf = (address: string): string =>
    join(folder, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.json`)
  return {
    read: async (address) => {
      try {
        const file = fileOf(address)
        if ((await stat(file)).size > mostBytes) return undefined
        const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
        return isKept(kept) && kept.address === address ? kept : undefined
      } catch {
        return undefined
      }
    },
    write: async (address, answer) => {
      try {
        await makeFolder(folder)
        await replaceFile(fileOf(address), JSON.stringify({ address, ...answer }))
        await tidy(folder)
      } catch {
        // Nobody is worse off than without it.
      }
    },
  }
}

/** For a gateway that keeps nothing. */
export const noKeptAnswers: RegistryCache = { read: async () => undefined, write: async () => {} }

const isKept = (value: unknown): value is KeptAnswer & { readonly address: string } =>
  isRecord(value) &&
  typeof value.etag === 'string' &&
  typeof value.body === 'string' &&
  typeof value.at === 'number' &&
  typeof value.address === 'string'

/** The oldest leave. */
const tidy = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  if (names.length <= mostFiles) return
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  const oldest = dated.sort((a, b) => a.at - b.at).slice(0, names.length - mostFiles)
  await Promise.all(oldest.map(({ name }) => rm(join(folder, name), { force: true })))
}
