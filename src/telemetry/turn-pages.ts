import { rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * `path` becomes `path.1`, that `path.2`, and so on; the last is thrown away. False where another process is at it: two
 * at once would put one page over another.
 */
export const turnPages = async (path: string, maxFiles: number): Promise<boolean> => {
  const mark = `${path}.turning`
  try {
    await writeFile(mark, '', { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const marked = await stat(mark).catch(() => undefined)
    // Left behind by a process that was killed over it.
    if (marked && Date.now() - marked.mtimeMs > staleMs) await rm(mark, { force: true })
    return false
  }
  try {
    await rm(`${path}.${maxFiles - 1}`, { force: true })
    for (let number = maxFiles - 2; number >= 0; number--)
      await renameIfThere(number === 0 ? path : `${path}.${number}`, `${path}.${number + 1}`)
    return true
  } finally {
    await rm(mark, { force: true })
  }
}

const staleMs = 10_000

const renameIfThere = (from: string, to: string): Promise<void> =>
  rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
