import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Edit, editFile, replaceFile } from '../../config/edit.js'
import { makeFolder } from '../../model/make-folder.js'
import { say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { noteOwnWrite } from '../../serving/trust/own-writes.js'
import { noteEdited } from '../../serving/typed-deeds.js'

/**
 * Changes a configuration file as the person at the keyboard asked for it, which is a yes to what is written. `check`
 * looks at it and puts it back where it throws; the yes is kept before, since a gateway that runs sees the file at once.
 */
export const editAsAsked = async (
  file: string,
  edits: readonly Edit[],
  flags: CommonFlags,
  check: (before: Buffer | undefined) => Promise<void> = async () => {},
): Promise<void> => {
  const before = await readFile(file).catch(() => undefined)
  await editFile(file, edits)
  await tellUnlessKept(flags, file, before, edits)
  await check(before)
}

/** A new configuration, with nothing in it yet. */
export const makeTemplate = async (file: string, flags: CommonFlags): Promise<void> => {
  await makeFolder(dirname(file))
  await replaceFile(file, template)
  await tellUnlessKept(flags, file, undefined, [])
  await noteEdited(flags, { kind: 'setting', action: 'create', on: { type: 'config', id: file }, outcome: 'ok' })
}

const template = `{
  // Where tools come from. Add one with: pegboard add NAME -- command
  // The "mcpServers" of any client may stand here as they are, too.
  "sources": {}
}
`

const tellUnlessKept = async (...write: Parameters<typeof noteOwnWrite>): Promise<void> => {
  const problem = await noteOwnWrite(...write)
  if (problem === undefined) return
  process.stderr.write(
    say(
      `pegboard: ${write[1]} is written, but your yes to it could not be kept: ${problem}\n`,
      `pegboard: ${write[1]} 已写入，但未能保存你对它的同意：${problem}\n`,
    ),
  )
}
