import type { HostEnvironment } from '../../../clients/client.js'
import { findClientFiles } from '../../../clients/find.js'
import { say } from '../../../serving/locale.js'
import { isOurEntry } from '../../../serving/our-launch.js'
import { type Diagnosis, fail, off, ok, warn } from './diagnosis.js'
import { isFound } from './hops.js'

/** Which clients are here, can their files be read, and do they know us? `address` is where we listen. */
export const checkClients = async (place: HostEnvironment, address: string): Promise<readonly Diagnosis[]> => {
  const files = await findClientFiles(place)
  if (files.length === 0)
    return [off('client', say('No configuration of a client was found', '没有找到任何客户端的配置'))]
  return files.map(({ client, file, servers, problem }) => {
    if (problem !== undefined)
      return warn(
        'client',
        say(`${client.title}: ${problem}`, `${client.title}：其配置无法读取：${problem}`),
        say(`Open ${file.path} in an editor and repair that line.`, `用编辑器打开 ${file.path} 并修复该行。`),
      )
    const ours = servers.find(({ entry }) => isOurEntry(entry) || pointsAt(entry, address))
    if (!ours)
      return off(
        'client',
        say(
          `${client.title}: not connected. Connect it: pegboard connect ${client.id} (${file.path})`,
          `${client.title}：未接入。接入：pegboard connect ${client.id}（${file.path}）`,
        ),
      )
    const { command } = ours.entry
    if (typeof command === 'string' && !isFound(command, process.env.PATH ?? ''))
      return fail(
        'client',
        say(
          `${client.title}: its entry '${ours.name}' starts '${command}', which is not there any more`,
          `${client.title}：其条目“${ours.name}”启动的“${command}”已不存在`,
        ),
        say(`Write it anew: pegboard connect ${client.id}`, `重新写入：pegboard connect ${client.id}`),
      )
    return ok(
      'client',
      say(
        `${client.title}: connected as '${ours.name}' (${file.path})`,
        `${client.title}：已接入，名称“${ours.name}”（${file.path}）`,
      ),
    )
  })
}

const pointsAt = (entry: Readonly<Record<string, unknown>>, address: string): boolean =>
  ['url', 'serverUrl', 'httpUrl', 'baseUrl'].some((key) => {
    const value = entry[key]
    return typeof value === 'string' && value.startsWith(`${address}/`)
  })
