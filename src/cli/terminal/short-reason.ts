import { splitReason } from '../../faces/trace-words.js'
import { toldReason } from './source-words.js'

/** The line that says why, then what happened: what a list has room for (G1). */
export const shortReason = (reason: string): string => {
  const { what, why } = splitReason(reason)
  return why === undefined ? toldReason(what) : `${why} (${toldReason(what)})`
}
