import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'

export interface FolderWatch {
  /** Watches again if the folder was lost, or is another one under the same name. */
  renew(): Promise<void>
  close(): void
}

/** Tells of entries of a folder that may have changed. Where the platform gives no watch, it tells of nothing. */
export const watchFolder = async (folder: string, onEvent: (name: string | null) => void): Promise<FolderWatch> => {
  let watcher: FSWatcher | undefined
  let inode: bigint | undefined
  let isClosed = false
  const drop = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const renew = async (): Promise<void> => {
    const now = await inodeOf(folder)
    if (isClosed || (watcher && now === inode)) return
    drop()
    inode = now
    watcher = now === undefined ? undefined : open(folder, onEvent, drop)
  }
  await renew()
  return {
    renew,
    close: () => {
      isClosed = true
      drop()
    },
  }
}

const inodeOf = (folder: string): Promise<bigint | undefined> =>
  stat(folder, { bigint: true }).then(
    (stats) => stats.ino,
    () => undefined,
  )

const open = (folder: string, onEvent: (name: string | null) => void, onError: () => void): FSWatcher | undefined => {
  try {
    return watch(folder, { persistent: false }, (_event, name) => onEvent(name)).on('error', onError)
  } catch {
    // The folder is gone again, or this user has no more watches (ENOSPC): polling has to do.
    return undefined
  }
}
