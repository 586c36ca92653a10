import { constants, lstatSync } from 'node:fs'
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
