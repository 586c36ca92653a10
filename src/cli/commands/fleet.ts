import type { Config } from '../../config/schema.js'
import { GatewayError, isGatewayError } from '../../errors.js'
import type { FleetPicture } from '../../faces/admin/fleet.js'
import {
  type FleetView,
  lookAtFleet,
  type SeenLease,
  type SeenReplica,
  takeLeaseAway,
} from '../../serving/fleet-view.js'
import { say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { stateHere } from '../terminal/source-words.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

/** `pegboard fleet`: the replicas on this database, and which of them runs what runs only once. */
export const fleet = async (flags: AdminFlags): Promise<void> => {
  const view = await look(flags)
  print(flags, view, [
    replicaTable(view.replicas),
    '',
    view.leases.length === 0
      ? say('Nothing that runs only once is held.', '没有只运行一份的内容。')
      : leaseTable(view.leases),
    ...(view.replicas.some(({ lives }) => !lives)
      ? [
          painted(
            'dim',
            say(
              'Who is silent for longer than fleet.leaseMs is taken to be gone; its row goes by itself.',
              '静默超过 fleet.leaseMs 的副本视为已离开；其记录会自行消失。',
            ),
          ),
        ]
      : []),
  ])
}

/** `pegboard fleet release NAME`: takes a lease from its holder, so that another replica goes on with it. */
export const releaseLease = async (name: string, flags: AdminFlags): Promise<void> => {
  const { leases } = await look(flags)
  const held = leases.filter(({ holder, isFree }) => holder !== undefined && !isFree)
  // What people know is the name of the source.
  const found = held.find((lease) => lease.name === name) ?? held.find((lease) => lease.name === `source:${name}`)
  if (!found) throw notHeld(name, held)
  const { config } = await readConfig(flags)
  const isDone = await viaGateway(
    async () => {
      const isTaken = isShared(config) ? await takeLeaseAway(config, found.name) : undefined
      const told = { kind: 'system', action: 'release', on: { type: 'lease', id: found.name } } as const
      if (isTaken) await noteEdited(flags, { ...told, outcome: 'ok', before: found.holder })
      return isTaken
    },
    async () => {
      const client = await openAdminClient(flags)
      await client.del(`/fleet/leases/${encodeURIComponent(found.name)}`)
      return true
    },
  )
  if (!isDone) throw notHeld(name, [])
  print(flags, { released: found.name, holder: found.holder, epoch: found.epoch }, [
    say(
      `Taken from ${found.holder}: ${found.name}. Another replica goes on with it once ${found.holder} had the rest of its lease to notice.`,
      `已从 ${found.holder} 收回：${found.name}。待 ${found.holder} 的剩余租期过后，由另一个副本接手。`,
    ),
  ])
}

const look = async (flags: AdminFlags): Promise<FleetView> => {
  const { config } = await readConfig(flags)
  const view = await viaGateway(
    async () => (isShared(config) ? lookAtFleet(config) : undefined),
    async (): Promise<FleetView | undefined> => {
      const client = await openAdminClient(flags)
      const { alone, replicas, leases } = await client.get<FleetView & Pick<FleetPicture, 'alone'>>('/fleet')
      return alone ? undefined : { replicas: replicas.map((replica) => ({ ...replica, lives: true })), leases }
    },
  ).catch((error: unknown) => {
    // By itself as far as we know: that nobody runs changes nothing.
    if (isShared(config) || config.server.workers !== 1) throw error
  })
  if (view) return { replicas: view.replicas, leases: view.leases }
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `There is no fleet: storage.backend is '${config.storage.backend}', which one process keeps for itself. Replicas share "storage": { "backend": "postgres", "url": … }; the cores of one machine are used by "server": { "workers": "auto" }.`,
      `没有集群：storage.backend 是“${config.storage.backend}”，只供一个进程使用。多个副本共用 "storage": { "backend": "postgres", "url": … }；单机多核请用 "server": { "workers": "auto" }。`,
    ),
  )
}

const isShared = ({ storage }: Pick<Config, 'storage'>): boolean => storage.backend === 'postgres'

/** The database knows best; who cannot reach it asks a replica that may, and where there is none the gateway that runs here. */
const viaGateway = async <T>(database: () => Promise<T | undefined>, gateway: () => Promise<T>): Promise<T> => {
  let away: unknown
  try {
    const known = await database()
    if (known !== undefined) return known
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'STORE_UNAVAILABLE') throw error
    away = error
  }
  return gateway().catch((error: unknown) => {
    throw away ?? error
  })
}

const replicaTable = (replicas: readonly SeenReplica[]): string =>
  replicas.length === 0
    ? say('No replica lives. Start one: pegboard serve', '没有存活的副本。启动一个：pegboard serve')
    : table(
        [
          say('REPLICA', '副本'),
          say('STATE', '状态'),
          say('VERSION', '版本'),
          say('ADDRESS', '地址'),
          say('HEARD', '最近消息'),
        ],
        replicas.map(({ name, state, version, address, silentMs, lives }) => [
          name,
          lives ? stateHere(state) : say('silent', '静默'),
          version,
          address ?? '–',
          say(`${(silentMs / 1000).toFixed(1)} s ago`, `${(silentMs / 1000).toFixed(1)} 秒前`),
        ]),
      )

const leaseTable = (leases: readonly SeenLease[]): string =>
  table(
    [say('RUNS ONCE', '只运行一份'), say('AT', '所在副本'), say('EPOCH', '任期')],
    leases.map(({ name, holder, epoch, isFree }) => [
      name,
      holder === undefined ? '–' : isFree ? say(`${holder} (run out)`, `${holder}（已过期）`) : holder,
      String(epoch),
    ]),
  )

const notHeld = (name: string, held: readonly SeenLease[]): CommandFailed => {
  const known = held.map((lease) => lease.name)
  return new CommandFailed(
    say(
      `Nobody holds '${name}'${meant(name, known)} ${known.length > 0 ? `Held are: ${known.join(', ')}.` : 'Nothing is held.'}`,
      `没有副本持有“${name}”${meant(name, known)}${known.length > 0 ? `现有：${known.join('、')}。` : '没有被持有的内容。'}`,
    ),
    exitCodes.notFound,
  )
}
