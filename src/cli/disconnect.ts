import { rm } from 'node:fs/promises'
import type { Client } from '../clients/client.js'
import { readClientFile } from '../clients/read-file.js'
import { withEntry } from '../clients/write-entry.js'
import { replaceFile } from '../config/edit.js'
import { type Backup, type BackupShelf, hashOf } from './client-backup.js'
import { CommandFailed, exitCodes } from './exit.js'
import type { CommonFlags } from './flags.js'
import { say } from './terminal.js'

/** `pegboard connect CLIENT --undo`: the file as it was, or, where the client wrote to it since, without our entry. */
export const disconnect = async (
  client: Client,
  file: string,
  backups: BackupShelf,
  flags: CommonFlags,
): Promise<void> => {
  const backup = await backups.read(file)
  if (!backup)
    throw new CommandFailed(
      `Nothing to take back: pegboard has not changed ${file}. Name the file with --file if it was another.`,
      exitCodes.notFound,
    )
  const now = await readClientFile(file)
  const isUntouched = now !== undefined && hashOf(now) === backup.after
  if (isUntouched) await restore(file, backup.before)
  else if (now !== undefined) await takeOut(file, now, backup, client)
  await backups.drop(file)
  say(flags, { client: client.id, file, restored: isUntouched ? 'bytes' : 'entry' }, [
    isUntouched
      ? `${file} is as it was before.`
      : `${file} was changed since by somebody else: only '${backup.entryName}' was taken out.`,
  ])
}

const restore = (file: string, before: Buffer | undefined): Promise<void> =>
  before === undefined ? rm(file, { force: true }) : replaceFile(file, before)

const takeOut = async (file: string, now: Buffer, { entryName }: Backup, client: Client): Promise<void> => {
  const text = now.toString('utf8')
  const rest = await withEntry(text, { client, file, name: entryName, entry: undefined })
  if (rest !== text) await replaceFile(file, Buffer.from(rest, 'utf8'))
}
