import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import type { Config, XiaozhiEndpointConfig } from '../config/schema.js'
import { type Actor, type Deed, type Note, systemActor } from '../telemetry/deed.js'
import { silentLogger } from '../telemetry/logger.js'
import { lateAuditTrail } from './audit-trail.js'
import { deviceOf } from './xiaozhi-device.js'

/** What a reload has changed, by name; of grants, which have none, by hash. Who changed it wrote the file, or is told beside. */
export const noteReload = (note: Note, before: Config, now: Config): void => {
  const told = { actor: systemActor, outcome: 'ok' } as const
  for (const name of new Set([...Object.keys(before.sources), ...Object.keys(now.sources)])) {
    const [was, is] = [before.sources[name], now.sources[name]]
    if (isDeepStrictEqual(was, is)) continue
    const action = was === undefined ? 'add' : is === undefined ? 'remove' : 'change'
    note({ ...told, kind: 'source', action, on: { type: 'source', id: name }, source: name })
  }
  noteDevices(note, before, now)
  const grants = [before.auth.grants, now.auth.grants]
  if (!isDeepStrictEqual(grants[0], grants[1])) {
    const [was, is] = grants.map(hashOf)
    note({
      ...told,
      kind: 'grant',
      action: 'change',
      on: { type: 'setting', id: 'auth.grants' },
      before: was,
      after: is,
    })
  }
  const sections = (Object.keys(now) as (keyof Config)[]).filter(
    (key) => key !== 'sources' && !isDeepStrictEqual(before[key], now[key]),
  )
  if (sections.length > 0)
    note({ ...told, kind: 'setting', action: 'reload', on: { type: 'setting', id: sections.sort().join(',') } })
}

/** Links to voice devices. Their addresses are secrets: one without a name goes by the hash that its lease has too. */
const noteDevices = (note: Note, before: Config, now: Config): void => {
  const [were, are] = [devicesOf(before), devicesOf(now)]
  for (const id of new Set([...were.keys(), ...are.keys()])) {
    const [was, is] = [were.get(id), are.get(id)]
    if (isDeepStrictEqual(was, is)) continue
    const action = was === undefined ? 'add' : is === undefined ? 'remove' : 'change'
    const profile = (is ?? was)?.profile
    note({ kind: 'setting', action, actor: systemActor, on: { type: 'xiaozhi', id }, profile, outcome: 'ok' })
  }
}

const devicesOf = ({ xiaozhi }: Config): ReadonlyMap<string, XiaozhiEndpointConfig> =>
  new Map(xiaozhi.endpoints.map((each) => [deviceOf(each), each]))

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('hex')
    .slice(0, 16)

/** Whoever typed a command. */
export const typist = (): Actor => ({ id: nameOfUser(), type: 'local', via: 'cli' })

const nameOfUser = (): string => {
  try {
    return userInfo().username
  } catch {
    // An id without a name, as in many containers.
    return `uid-${process.getuid?.() ?? 'none'}`
  }
}

/** For a command that changes what is kept without asking a gateway: it is in the trail as well. */
export const noteTyped = async (config: Config, ...deeds: readonly Omit<Deed, 'actor'>[]): Promise<void> => {
  const audit = await lateAuditTrail(config, silentLogger, { env: process.env, listens: false })
  for (const deed of deeds) audit.note({ ...deed, actor: typist() })
  await audit.close()
}
