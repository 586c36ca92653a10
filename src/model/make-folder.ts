import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder for its owner alone, with those above it. Not by Node's `recursive`: where a folder is there and takes
 * none inside, as /proc does, Node goes up and down between the two for ever, and holds the thread while it does.
 */
export const makeFolder = async (path: string): Promise<void> => {
  try {
    await mkdir(path, privately)
  } catch (error) {
    if (await isFolder(path)) return
    if (!isMissing(error) || dirname(path) === path) throw error
    // Whether the folder above was there all the time or came from a neighbour just now, the second answer tells.
    if (!(await isFolder(dirname(path)))) await makeFolder(dirname(path))
    await mkdir(path, privately).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again
    })
  }
}

/** The same for those who cannot wait. */
export const makeFolderSync = (path: string): void => {
  const isThere = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  try {
    mkdirSync(path, privately)
  } catch (error) {
    if (isThere(path)) return
    if (!isMissing(error) || dirname(path) === path) throw error
    if (!isThere(dirname(path))) makeFolderSync(dirname(path))
    try {
      mkdirSync(path, privately)
    } catch (again) {
      if (!isThere(path)) throw again
    }
  }
}

const privately = { mode: 0o700 }

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
