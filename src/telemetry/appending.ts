import { constants, lstatSync, readSync, write } from 'node:fs'
import { strangerAt } from '../model/who-may-write.js'

const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

/**
 * The flags to append to a log or a trail by. A link is followed only where it is our own or root's, as /dev/stdout is:
 * one that somebody else put there would have us write into any file of ours (S20).
 */
export const appendingTo = (path: string, how: 'reads' | 'never waits'): number => {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const isOurLink = stats?.isSymbolicLink() === true && strangerAt(path, stats) === undefined
  const flags = how === 'reads' ? O_RDWR : O_WRONLY | O_NONBLOCK
  return flags | O_APPEND | O_CREAT | (isOurLink ? 0 : O_NOFOLLOW)
}

/** How many bytes of it the disk took. */
export const written = (file: number, chunk: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    write(file, chunk, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })

/** Whether its last line has no end. */
export const isCut = (file: number, size: number): boolean => {
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== lineEnd
}

const lineEnd = 10
