import { GatewayError } from '../../errors.js'
import type { Heard, LeaseRow, LeaseTable, Replica, ReplicaSeen, ReplicaState, SignOfLife } from '../commons.js'
import { type Postgres, whole } from './connection.js'
import { announce, type Heads } from './heads.js'
import type { Tables } from './schema.js'

const leaseKind = 'lease'

/** Leases as rows, judged by the database's clock alone. A row and not a lock of a connection, which ends with each restart. */
export const createLeases = (database: Postgres, heads: Heads): LeaseTable => {
  const { tables } = database
  const sql = leaseStatements(tables)
  const told = (version: unknown): void => {
    if (version !== undefined && version !== null) heads.learn(leaseKind, whole(version))
  }
  return {
    beat: async (sign) => {
      const since = heads.mark()
      const [row] = await database.probe(sql.beat, beatValues(sign))
      const answer = row as unknown as BeatRow
      heads.take(
        (answer.heads ?? []).map(({ kind, version }) => [kind, version] as const),
        since,
        true,
      )
      if (whole(answer.mine) === 0) throw nameTaken(sign.replica.name)
      return toHeard(answer, sign.replica)
    },
    read: async (leaseMs) => {
      const [row] = await database.read(sql.read, [leaseMs])
      return toHeard(row as unknown as BeatRow)
    },
    take: async (name, holder, leaseMs) => {
      const [row] = await database.write(sql.take, [name, holder, leaseMs])
      told(row?.version)
      return row === undefined ? undefined : whole(row.epoch)
    },
    giveBack: async ({ name, epoch }, holder) => {
      const [row] = await database.write(sql.giveBack, [name, epoch, holder])
      told(row?.version)
    },
    release: async (name) => {
      const [row] = await database.write(sql.release, [name])
      told(row?.version)
      return row !== undefined
    },
    leave: async ({ name, instance }) => {
      const [row] = await database.write(sql.leave, [name, instance])
      told(row?.version)
    },
  }
}

interface RawReplica extends Omit<Replica, 'address' | 'secrets'> {
  readonly address: string | null
  readonly secrets: string
  readonly ms: number
}

interface BeatRow {
  readonly mine: unknown
  readonly ms: unknown
  readonly replicas: readonly RawReplica[] | null
  readonly leases: readonly { name: string; holder: string | null; epoch: number; free: boolean }[] | null
  readonly heads: readonly { readonly kind: string; readonly version: number }[] | null
}

const beatValues = ({ replica, held, leaseMs }: SignOfLife): readonly unknown[] => [
  replica.name,
  replica.instance,
  replica.address ?? null,
  replica.version,
  replica.state,
  leaseMs,
  held.map(({ name }) => name),
  held.map(({ epoch }) => epoch),
  JSON.stringify(replica.secrets),
]

const toHeard = ({ replicas, leases, ms }: BeatRow, self?: Replica): Heard => ({
  replicas: [
    ...(self === undefined ? [] : [{ ...self, silentMs: 0 }]),
    ...(replicas ?? []).map(
      (each): ReplicaSeen => ({
        name: each.name,
        address: each.address ?? undefined,
        version: each.version,
        state: each.state as ReplicaState,
        instance: each.instance,
        secrets: JSON.parse(each.secrets) as readonly string[],
        silentMs: Math.max(0, each.ms),
      }),
    ),
  ].sort((a, b) => (a.name < b.name ? -1 : 1)),
  leases: (leases ?? []).map(
    ({ name, holder, epoch, free }): LeaseRow => ({ name, holder: holder ?? undefined, epoch, isFree: free }),
  ),
  storeMs: Math.round(whole(ms)),
})

/** The heads come along, so that an idle replica asks one thing each second and not two. */
const leaseStatements = (tables: Tables) => {
  const { replica, lease, head } = tables
  const soon = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`
  // Only where a lease really changed hands; head rows are locked last by all of these, so nobody waits in a ring.
  const tell = (changed: string): string =>
    `raised as (insert into ${head} as head (kind, version) select '${leaseKind}', 1 from ${changed} limit 1
       on conflict (kind) do update set version = head.version + 1 returning version)`
  const said = announce(tables, `'${leaseKind}'`)
  const stand = (replicas: string, leases: string, leaseMs: string): string =>
    `extract(epoch from clock_timestamp()) * 1000 as ms,
     (select json_agg(json_build_object('name', name, 'instance', instance, 'address', address, 'version', version,
       'state', state, 'secrets', secrets, 'ms', round(extract(epoch from clock_timestamp() - seen) * 1000)))
       from ${replica} where ${replicas} seen > clock_timestamp() - 10 * ${leaseMs} * interval '1 millisecond') as replicas,
     (select json_agg(json_build_object('name', l.name, 'holder', l.holder, 'epoch', l.epoch,
       'free', until < clock_timestamp()) order by l.name) from ${leases} l) as leases`
  return {
    beat: `with mine as (insert into ${replica} as r (name, instance, address, version, state, lease_ms, secrets, seen)
         values ($1, $2, $3, $4, $5, $6, $9, clock_timestamp())
         on conflict (name) do update set instance = excluded.instance, address = excluded.address,
           version = excluded.version, state = excluded.state, lease_ms = excluded.lease_ms, secrets = excluded.secrets,
           seen = clock_timestamp()
         where r.instance = excluded.instance or r.seen < clock_timestamp() - r.lease_ms * interval '1 millisecond'
         returning name),
       renewed as (update ${lease} as l set until = ${soon('$6')}
         from unnest($7::text[], $8::bigint[]) as h(name, epoch), mine
         where l.name = h.name and l.epoch = h.epoch and l.holder = $1 returning l.name, l.until),
       standing as (select l.name, l.holder, l.epoch, coalesce(n.until, l.until) as until
         from ${lease} l left join renewed n on n.name = l.name)
       select (select count(*) from mine) as mine, ${stand('name <> $1 and', 'standing', '$6')},
         (select json_agg(json_build_object('kind', kind, 'version', version)) from ${head}) as heads`,
    read: `select ${stand('', lease, '$1::float8')}`,
    take: `with taken as (insert into ${lease} as l (name, holder, epoch, until) values ($1, $2, 1, ${soon('$3')})
         on conflict (name) do update set holder = excluded.holder, epoch = l.epoch + 1, until = excluded.until
         where l.until < clock_timestamp() returning epoch),
       ${tell('taken')}
       select epoch, version, ${said} from taken, raised`,
    giveBack: `with given as (update ${lease} set holder = null, until = '-infinity'
         where name = $1 and epoch = $2 and holder = $3 returning name),
       ${tell('given')}
       select version, ${said} from raised`,
    release: `with given as (update ${lease} set holder = null, epoch = epoch + 1
         where name = $1 and holder is not null and until > clock_timestamp() returning name),
       ${tell('given')}
       select version, ${said} from raised`,
    leave: `with given as (delete from ${replica} where name = $1 and instance = $2 returning name),
       ${tell('given')}
       select version, ${said} from raised`,
  }
}

const nameTaken = (name: string) =>
  new GatewayError(
    'FLEET_NAME_TAKEN',
    `Another process of the fleet is called '${name.slice(0, 128)}' and lives. Give each replica its own fleet.replica, or leave it out.`,
    { details: { replica: name } },
  )
