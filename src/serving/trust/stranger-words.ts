import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { type Stranger, strangerAt } from '../../model/who-may-write.js'
import { say } from '../locale.js'

/** Who may change what is there, as a sentence without its end. */
export const strangerWords = ({ path, who, id }: Stranger): string => {
  if (who === 'owner') return say(`${path} belongs to another user (uid ${id})`, `${path} 属于另一个用户（uid ${id}）`)
  return who === 'group'
    ? say(`${path} can be changed by others of group ${id}`, `组 ${id} 的其他成员可以修改 ${path}`)
    : say(`${path} can be changed by any user`, `任何用户都可以修改 ${path}`)
}

/** What its owner can do about it. */
export const mendWords = ({ path, who }: Stranger): string =>
  who === 'owner' ? say(`chown it (${path})`, `更改其所有者（chown ${path}）`) : `chmod go-w ${path}`

/**
 * Refuses a data folder in which somebody else may put keys, approvals or answers, or already has (S20). In a place that
 * all may write to, a folder of its own inside it does.
 */
export const assertOwnFolder = async ({
  backend,
  path,
}: Pick<Config['storage'], 'backend' | 'path'>): Promise<void> => {
  if (backend === 'memory') return
  const stats = await stat(path).catch(() => undefined)
  // What is not there, or no folder, is told by whoever opens it.
  if (!stats?.isDirectory()) return
  const found = strangerAt(path, stats) ?? (await strangerIn(path))
  if (!found) return
  throw new GatewayError(
    'ACCESS_DENIED',
    say(
      `The data folder ${path} is not used: ${strangerWords(found)}, and what is in it decides who may come in. Mend it: ${mendWords(found)}; or name a folder of your own, which may be a new one inside it: --data-path ${join(path, 'own')}`,
      `数据目录 ${path} 未被采用：${strangerWords(found)}，而其中的内容决定谁能进入。修复：${mendWords(found)}；或指定你自己的目录（可以是其中的一个新目录）：--data-path ${join(path, 'own')}`,
    ),
    { details: { folder: path, file: found.path } },
  )
}

const mostEntries = 10_000

/** Something in it that is another's: it was put there while others could. */
const strangerIn = async (folder: string): Promise<Stranger | undefined> => {
  // Who reads the run record judges it, and goes on without it.
  const names = (await readdir(folder).catch(() => [])).filter((name) => name !== 'running.json')
  for (const name of names.slice(0, mostEntries)) {
    const path = join(folder, name)
    const stats = await lstat(path).catch(() => undefined)
    const found = stats && strangerAt(path, stats)
    if (found?.who === 'owner') return found
  }
  return undefined
}
