import { rm } from 'node:fs/promises'
import type { ClientProgram } from '../../clients/client.js'
import { readClientFile } from '../../clients/read-file.js'
import { withEntry } from '../../clients/write-entry.js'
import { replaceFile } from '../../config/edit.js'
import { say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { print } from '../terminal/terminal.js'
import { type Backup, type BackupShelf, hashOf } from './client-backup.js'

/** `pegboard connect CLIENT --undo`: the file as it was, or, where the client wrote to it since, without our entry. */
export const disconnect = async (
  client: ClientProgram,
  file: string,
  backups: BackupShelf,
  flags: CommonFlags,
): Promise<void> => {
  const backup = await backups.read(file)
  if (!backup)
    throw new CommandFailed(
      say(
        `Nothing to take back: pegboard has not changed ${file}. Name the file with --file if it was another.`,
        `没有可撤销的：pegboard 没有改过 ${file}。如果是别的文件，请用 --file 指明。`,
      ),
      exitCodes.notFound,
    )
  const now = await readClientFile(file)
  const isUntouched = now !== undefined && hashOf(now) === backup.after
  if (isUntouched) await restore(file, backup.before)
  else if (now !== undefined) await takeOut(file, now, backup, client)
  await backups.drop(file)
  print(flags, { client: client.id, file, restored: isUntouched ? 'bytes' : 'entry' }, [
    isUntouched
      ? say(`${file} is as it was before.`, `${file} 已恢复原样。`)
      : say(
          `${file} was changed since by somebody else: only '${backup.entryName}' was taken out.`,
          `${file} 之后又被别的程序修改过：只取出了“${backup.entryName}”。`,
        ),
  ])
}

const restore = (file: string, before: Buffer | undefined): Promise<void> =>
  before === undefined ? rm(file, { force: true }) : replaceFile(file, before)

const takeOut = async (file: string, now: Buffer, { entryName }: Backup, client: ClientProgram): Promise<void> => {
  const text = now.toString('utf8')
  const rest = await withEntry(text, { client, file, name: entryName, entry: undefined })
  if (rest !== text) await replaceFile(file, Buffer.from(rest, 'utf8'))
}
