import { kindOf } from '../../model/json.js'
import { storeCorrupt, storeTooNew } from '../problems.js'
import { describeSyntaxError } from './position.js'

/** The text and value of a JSON file, or STORE_CORRUPT with the place where it stops being one. */
export const parseFile = (bytes: Uint8Array, file: string): { readonly text: string; readonly value: unknown } => {
  const text = decodeUtf8(bytes, file)
  try {
    return { text, value: JSON.parse(text) }
  } catch {
    // The cause is left out: V8 quotes the text in it.
    throw storeCorrupt(file, describeSyntaxError(text))
  }
}

/** Refuses what no version of ours wrote, and what only a newer one can read. */
export const checkVersion = (found: unknown, known: number, file: string): void => {
  if (!Number.isSafeInteger(found) || (found as number) < 1)
    throw storeCorrupt(file, `its version must be a whole number from 1, found ${kindOf(found)}`)
  if ((found as number) > known) throw storeTooNew(file, found as number, known)
}

const decodeUtf8 = (bytes: Uint8Array, file: string): string => {
  try {
    // Strips a byte order mark, which some editors add.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw storeCorrupt(file, 'it is not UTF-8 text', { cause })
  }
}
