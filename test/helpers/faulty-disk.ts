import { type Disk, type DiskFile, realDisk } from '../../src/storage/disk.js'

export interface FaultyDisk extends Disk {
  /** The n-th step from now fails with this errno, and only that one; `always` lets all later ones fail too. */
  failAt(step: number, errno: string, always?: boolean): void
  heal(): void
  /** The steps taken since the last `failAt` or `heal`, by name. */
  readonly steps: readonly string[]
}

/** A real disk whose n-th input or output fails, for loops over n (F3). */
export const createFaultyDisk = (): FaultyDisk => {
  let steps: string[] = []
  let failing: { readonly step: number; readonly errno: string; readonly always: boolean } | undefined

  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    steps.push(name)
    const due = failing && (failing.always ? steps.length >= failing.step : steps.length === failing.step)
    if (failing && due)
      throw Object.assign(new Error(`${failing.errno}: injected into ${name}`), { code: failing.errno })
    return work()
  }
  const wrapFile = (file: DiskFile): DiskFile => ({
    write: (data) => step('write', () => file.write(data)),
    sync: () => step('sync', () => file.sync()),
    identity: () => step('fstat', () => file.identity()),
    // A close that fails has closed all the same.
    close: async () => {
      await file.close()
      await step('close', async () => {})
    },
  })
  return {
    create: (path) => step('create', async () => wrapFile(await realDisk.create(path))),
    read: (path, maxBytes) => step('read', () => realDisk.read(path, maxBytes)),
    identity: (path) => step('stat', () => realDisk.identity(path)),
    rename: (from, to) => step('rename', () => realDisk.rename(from, to)),
    link: (from, to) => step('link', () => realDisk.link(from, to)),
    copy: (from, to) => step('copy', () => realDisk.copy(from, to)),
    remove: (path) => step('remove', () => realDisk.remove(path)),
    list: (folder) => step('list', () => realDisk.list(folder)),
    makeFolder: (path) => step('mkdir', () => realDisk.makeFolder(path)),
    syncFolderOf: (path) => step('sync folder', () => realDisk.syncFolderOf(path)),
    failAt: (at, errno, always = false) => {
      steps = []
      failing = { step: at, errno, always }
    },
    heal: () => {
      steps = []
      failing = undefined
    },
    get steps() {
      return steps
    },
  }
}
