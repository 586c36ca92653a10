import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { GatewayError, messageOf } from '../errors.js'
import { defined } from '../model/json.js'

/** ~/.claude.json keeps whole histories beside its servers and grows to some megabytes; nothing we want is beyond this. */
const maxBytes = 64 * 1024 * 1024

/** The bytes of a client's file, or undefined where there is none. Nothing is changed, and no pipe or device is opened. */
export const readClientFile = async (file: string): Promise<Buffer | undefined> => {
  try {
    // Non-blocking, since opening a named pipe would otherwise wait for a writer for ever.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const { size } = await requireFile(handle.stat(), file)
      if (size > maxBytes) throw refuse(file, `it is larger than ${maxBytes / 1024 / 1024} MB`)
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    if (error instanceof GatewayError) throw error
    throw refuse(file, messageOf(error), error)
  }
}

const requireFile = async (stats: Promise<import('node:fs').Stats>, file: string) => {
  const found = await stats
  if (!found.isFile()) throw refuse(file, 'it is not a plain file')
  return found
}

const refuse = (file: string, why: string, cause?: unknown): GatewayError =>
  new GatewayError('CONFIG_UNREADABLE', `${file} cannot be read: ${why}. Check its owner and mode, then try again.`, {
    details: { file },
    ...defined({ cause }),
  })
