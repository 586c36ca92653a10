import { access, rm } from 'node:fs/promises'
import { type AdminKey, adminKeyFile, ensureAdminKey } from '../access/admin-key.js'
import type { Keys } from '../access/keys.js'
import type { Config } from '../config/schema.js'
import { isGatewayError } from '../errors.js'
import { say } from './locale.js'

export interface AdminIntroduction {
  /** The words about the key that was made. They hold it on a terminal alone: whatever else keeps them is read by others. */
  tell(url: string, isTerminal: boolean): string
  /** Nobody was told of it, so the next start makes one anew. */
  takeBack(): Promise<void>
}

/**
 * Makes the first key where there is none. Of several replicas one makes it and keeps the file in its own folder, since a
 * database that many read is no place for it; the others say so.
 */
export const introduceAdmin = async (
  { storage }: Pick<Config, 'storage'>,
  keys: Keys,
  isShared: boolean,
): Promise<AdminIntroduction | undefined> => {
  const folder = storage.backend === 'memory' ? undefined : storage.path
  const making = ensureAdminKey({ keys, folder })
  // A container may have no place to write to; whoever runs many of them has a command for it.
  const made = isShared ? await making.catch(unlessUnwritten) : await making
  if (typeof made === 'string') return onlySaid(nobodyHasIt(made))
  if (!made) return isShared && !(await hasFile(folder)) ? onlySaid(anotherHasIt()) : undefined
  return {
    tell: (url, isTerminal) => (isTerminal ? toldOnce(made, url) : whereItIs(made.file, url)),
    takeBack: async () => {
      await keys.revoke(made.id)
      if (made.file !== undefined) await rm(made.file, { force: true })
    },
  }
}

const toldOnce = ({ key, file }: AdminKey, url: string): string => {
  const where =
    file === undefined
      ? say('good until this process ends', '在本进程结束前有效')
      : say(`also in ${file}`, `也保存在 ${file}`)
  // In the fragment, which browsers keep to themselves: no log and no proxy sees it.
  return say(
    `Admin key (shown once, ${where}): ${key}\nOpen the console: ${url}/#key=${key}`,
    `管理密钥（只显示一次，${where}）：${key}\n打开控制台：${url}/#key=${key}`,
  )
}

// A journal, `docker logs` and a redirected file keep what they are told, for whoever may read them (S17).
const whereItIs = (file: string | undefined, url: string): string =>
  file === undefined
    ? say(
        'Admin key: made, and not shown, since this is no terminal and the memory storage keeps no file of it. Start in a terminal, or with --storage-backend json.',
        '管理密钥：已创建但未显示，因为这里不是终端，而内存存储不保存文件。请在终端中启动，或使用 --storage-backend json。',
      )
    : say(
        `Admin key: in ${file}, for its owner alone; it is shown on terminals only.\nOpen the console: ${url}/ and paste it.`,
        `管理密钥：在 ${file} 中，只有所有者可读；仅在终端上显示。\n打开控制台：${url}/ 并粘贴密钥。`,
      )

const onlySaid = (words: string): AdminIntroduction => ({ tell: () => words, takeBack: async () => {} })

const unlessUnwritten = (error: unknown): string => {
  if (isGatewayError(error) && error.code === 'STORE_WRITE_FAILED' && error.details?.file) return error.message
  throw error
}

const hasFile = async (folder: string | undefined): Promise<boolean> =>
  folder !== undefined &&
  access(adminKeyFile(folder)).then(
    () => true,
    () => false,
  )

const anotherHasIt = (): string =>
  say(
    'Admin key: another replica made it, and keeps it in its own admin.key. One more: pegboard key create NAME --role admin',
    '管理密钥：由另一个副本创建，保存在它自己的 admin.key 中。再创建一个：pegboard key create NAME --role admin',
  )

const nobodyHasIt = (reason: string): string =>
  say(
    `Admin key: none, since it could not be kept (${reason}) Make one: pegboard key create NAME --role admin`,
    `管理密钥：没有，因为无法保存（${reason}）。请创建一个：pegboard key create NAME --role admin`,
  )
