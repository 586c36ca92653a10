import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isInstanceDead, parseMark } from '../instance.js'
import { relayProgram } from './relay-main.js'

const prefix = 'pegboard-box-'
const folders = new Map<string, string>()

/**
 * The folder of one gateway with what its boxes are given: a list of users that names nobody but theirs, the relay, and the
 * sockets of proxies. Nobody else may enter it. Those of gateways that are gone are removed.
 */
export const privateFolder = (mark: string): string => {
  const known = folders.get(mark)
  if (known !== undefined) return known
  sweepFolders()
  // The name cannot be guessed, and nothing that is there already is taken.
  const folder = join(tmpdir(), `${prefix}${mark}`)
  mkdirSync(folder, { mode: 0o700 })
  const { uid, gid } = userInfo()
  writeFileSync(join(folder, 'passwd'), `pegboard:x:${uid}:${gid}::/home/pegboard:/bin/sh\n`)
  writeFileSync(join(folder, 'group'), `pegboard:x:${gid}:\n`)
  writeFileSync(join(folder, 'relay.cjs'), relayProgram)
  folders.set(mark, folder)
  return folder
}

export const removePrivateFolder = (mark: string): void => {
  const folder = folders.get(mark)
  folders.delete(mark)
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

const sweepFolders = (): void => {
  for (const name of readdirSync(tmpdir())) {
    const mark = name.startsWith(prefix) ? parseMark(name.slice(prefix.length)) : undefined
    if (!mark || !isInstanceDead(mark)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {}
  }
}
