import type { Clock } from '../model/clock.js'
import type { Disk } from './disk.js'

/** What to do with a damaged file: refuse to open (default), or keep it under another name and begin empty. */
export type OnCorrupt = 'refuse' | 'set-aside'

/** A name beside `file` that nothing has yet: `<file>.<label>-20261115T055000123Z`, numbered if even that is taken. */
export const freeName = async (file: string, label: string, disk: Disk, clock: Clock): Promise<string> => {
  const stamp = new Date(clock.wall()).toISOString().replace(/[-:.]/g, '')
  for (let n = 0; ; n++) {
    const name = `${file}.${label}-${stamp}${n === 0 ? '' : `-${n}`}`
    if ((await disk.identity(name)) === undefined) return name
  }
}
