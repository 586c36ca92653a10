import { type KeyRecord, stateOf } from '../../access/key-record.js'
import type { Keys } from '../../access/keys.js'
import { endBelongings, owns } from '../../access/leaving.js'
import type { People, Person } from '../../access/people.js'
import { createPeople } from '../../access/person-store.js'
import { createSessions } from '../../access/session-store.js'
import type { SignInSession, SignInSessions } from '../../access/sessions.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { openKeys } from '../../serving/access.js'
import { noteTyped } from '../../serving/audit-deeds.js'
import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { storageOf } from '../../serving/storage.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'

/** `pegboard people list`: who was here, last seen first. */
export const listPeople = (flags: CommonFlags): Promise<void> =>
  withPeople(flags, async ({ people, sessions }) => {
    const rows = people.list().map((person) => ({ ...shown(person), ...held(person, sessions) }))
    print(flags, rows, [
      rows.length === 0
        ? say('Nobody has signed in yet.', '还没有人登录过。')
        : table(
            ['ID', 'NAME', 'ADDRESS', 'GROUPS', 'STATE', 'SESSIONS', 'LAST SEEN'],
            rows.map(({ id, name = '', email = '', groups = [], state, sessions: count, lastSeen }) => [
              ...[id, name, email, groups.join(' '), stateWords(state), String(count), lastSeen],
            ]),
          ),
    ])
  })

/** `pegboard people show WHO`: one of them, with where they are signed in and the keys they own. */
export const showPerson = (who: string, flags: CommonFlags): Promise<void> =>
  withPeople(flags, async ({ people, sessions, keys }) => {
    const person = found(people, who)
    const own = sessionsOf(person, sessions)
    const owned = (await keys.list()).filter(({ owner }) => owns(person, owner))
    const json = {
      ...shown(person),
      ...held(person, sessions),
      signedIn: own.map(shownSession),
      keys: owned.map(shownKey),
    }
    print(flags, json, [
      `${person.name ?? person.email ?? person.subject} (${person.id})`,
      say(`  issuer    ${person.issuer}`, `  签发者    ${person.issuer}`),
      say(`  subject   ${person.subject}`, `  主体      ${person.subject}`),
      say(`  address   ${person.email ?? 'none verified'}`, `  邮箱      ${person.email ?? '无已验证的'}`),
      say(
        `  groups    ${(person.groups ?? []).join(' ') || 'none'}`,
        `  用户组    ${(person.groups ?? []).join(' ') || '无'}`,
      ),
      say(`  state     ${stateWords(json.state)}`, `  状态      ${stateWords(json.state)}`),
      ...(own.length === 0
        ? []
        : [
            table(
              ['SIGNED IN AT', 'SINCE', 'LAST USED', 'UNTIL'],
              json.signedIn.map(({ client, kind, createdAt, lastUsedAt, endsAt }) => [
                client ?? kind,
                createdAt,
                lastUsedAt,
                endsAt,
              ]),
            ),
          ]),
      ...(owned.length === 0
        ? []
        : [
            table(
              ['KEY', 'NAME', 'ROLE', 'STATE'],
              json.keys.map(({ id, name, role, state }) => [id, name, role, state]),
            ),
          ]),
    ])
  })

/** `pegboard people end WHO`: a running gateway cuts them off within a second. */
export const endPerson = (who: string, flags: CommonFlags): Promise<void> =>
  withPeople(flags, async ({ people, sessions, keys, config }) => {
    const person = found(people, who)
    await people.end(person.id)
    const ended = await endBelongings(person.id, { people, sessions, keys })
    await noteTyped(config, { kind: 'person', action: 'end', on: { type: 'person', id: person.id }, outcome: 'ok' })
    const name = person.name ?? person.email ?? person.id
    print(flags, { id: person.id, state: 'ended', ...ended }, [
      say(
        `${name} is ended: ${ended.sessions} sessions and ${ended.keys} keys are over, in running gateways within a second.`,
        `已结束 ${name}：${ended.sessions} 个会话和 ${ended.keys} 个密钥失效，运行中的网关会在一秒内生效。`,
      ),
      say(
        'They may sign in again as long as the identity provider and auth.grants let them: to keep them out, write a row with "role": "none", or disable them there.',
        '只要身份提供方和 auth.grants 允许，他们仍可再次登录：要拒绝，请写一行 "role": "none"，或在身份提供方停用。',
      ),
    ])
  })

interface Opened {
  readonly people: People
  readonly sessions: SignInSessions
  readonly keys: Keys
  readonly config: Config
}

const withPeople = async (flags: CommonFlags, use: (opened: Opened) => Promise<void>): Promise<void> => {
  const loaded = await readConfig(flags)
  const { config } = loaded
  if (config.storage.backend === 'memory')
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        "The memory storage keeps nobody. Choose another with --storage-backend, such as 'json'.",
        '内存存储不保存人员。请用 --storage-backend 选择别的方式，例如 json。',
      ),
    )
  await assertOwnFolder(config.storage)
  const logger = quietLogger(loaded, flags, 'warn')
  const clock = systemClock
  await using storage = await storageOf(config, logger)
  await using keys = await openKeys(storage, logger)
  await using people = await createPeople({ documents: storage.shared('people'), clock, logger })
  await using sessions = await createSessions({
    documents: storage.shared('sessions'),
    // Only ever deleted here, for which nothing has to be opened.
    secrets: storage.shared('session-secrets'),
    ...{ clock, logger },
  })
  await use({ people, sessions, keys, config })
}

const found = (people: People, who: string): Person => {
  const person = people.find(who)
  if (person) return person
  const all = people.list()
  const shown = oneLine(who.slice(0, 128))
  const named = all.filter(({ name, email }) => name === who || email?.toLowerCase() === who.toLowerCase())
  if (named.length > 1)
    throw new CommandFailed(
      say(
        `${named.length} people are called '${shown}'. Say which, by id: ${named.map(({ id }) => id).join(', ')}`,
        `有 ${named.length} 人叫“${shown}”。请用 id 指明：${named.map(({ id }) => id).join('、')}`,
      ),
      exitCodes.failed,
    )
  const end = meant(
    who,
    all.flatMap(({ name, email }) => [name ?? [], email ?? []].flat()),
  )
  throw new CommandFailed(
    say(
      `Nobody called '${shown}' was here${end} See them with: pegboard people list`,
      `没有名为“${shown}”的人来过${end}查看全部：pegboard people list`,
    ),
    exitCodes.notFound,
  )
}

type PersonState = 'signed-in' | 'seen' | 'ended'

const stateWords = (state: PersonState): string =>
  ({ 'signed-in': say('signed in', '已登录'), seen: say('seen', '来过'), ended: say('ended', '已结束') })[state]

const sessionsOf = ({ id }: Person, sessions: SignInSessions): readonly SignInSession[] =>
  sessions.list().filter(({ identity }) => identity?.id === id)

const held = (person: Person, sessions: SignInSessions): { readonly state: PersonState; readonly sessions: number } => {
  const count = sessionsOf(person, sessions).length
  const isOver = person.endedAt !== undefined && person.endedAt >= person.lastSeen
  return { state: count > 0 ? 'signed-in' : isOver ? 'ended' : 'seen', sessions: count }
}

const shown = ({ firstSeen, lastSeen, endedAt, ...person }: Person) => ({
  ...person,
  firstSeen: toIso(firstSeen),
  lastSeen: toIso(lastSeen),
  endedAt: endedAt === undefined ? undefined : toIso(endedAt),
})

/** Without its id, by which its tokens are looked up. */
const shownSession = ({ kind, client, resource, scope, createdAt, lastUsedAt, checkedAt, endsAt }: SignInSession) => ({
  ...{ kind, client: client?.name, resource, scope },
  createdAt: toIso(createdAt),
  lastUsedAt: toIso(lastUsedAt),
  checkedAt: toIso(checkedAt),
  endsAt: toIso(endsAt),
})

const shownKey = (record: KeyRecord) => ({
  id: record.id,
  name: record.name,
  role: record.role,
  state: stateOf(record, Date.now()),
})

const toIso = (time: number): string => new Date(time).toISOString()
