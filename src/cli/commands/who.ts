import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { identityFrom } from '../../access/claims.js'
import { type Applicant, explainGrant, type GrantRow, type GrantStep, type GrantStory } from '../../access/grants.js'
import type { KeyRecord } from '../../access/key-record.js'
import type { Person } from '../../access/people.js'
import { createPeople } from '../../access/person-store.js'
import { clientIn, isMachine, scopesIn } from '../../access/tokens/token-claims.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { Right } from '../../model/caller.js'
import { systemClock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { narrowed, rightsOfRole } from '../../model/role.js'
import { openKeys } from '../../serving/access.js'
import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { storageOf } from '../../serving/storage.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { painted, print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'

export interface WhoFlags extends CommonFlags {
  /** Claims as JSON, a file of them, or the name of somebody known here. */
  readonly claims?: string | undefined
  /** Of the token that they would show. */
  readonly scopes?: string | undefined
}

/** What somebody may do here, and how that came about. */
interface Told {
  readonly who: { readonly kind: 'person' | 'machine' | 'key'; readonly id: string; readonly name?: string | undefined }
  readonly role: string
  readonly rights: readonly Right[]
  readonly scopes?: readonly string[] | undefined
  /** The first is served at the endpoint without a name. */
  readonly profiles: readonly string[]
  readonly endpoints: readonly string[]
  readonly limits?: GrantRow['limits'] | undefined
  /** The rows that were looked at; none for keys, which have their role themselves. */
  readonly steps: readonly GrantStep[]
}

/** `pegboard who NAME`, `pegboard who --claims JSON`: which row of `auth.grants` counts for somebody, and what follows. */
export const who = async (name: string | undefined, flags: WhoFlags): Promise<void> => {
  const asked = name ?? flags.claims
  if (asked === undefined || (name !== undefined && flags.claims !== undefined))
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(
        'Say who: a name, address or id that is known here, a key, or --claims with the claims of a token, as JSON or a file of it.',
        '请指明是谁：本网关已知的名称、邮箱或 id，密钥名称，或用 --claims 给出令牌的声明（JSON 或其文件）。',
      ),
    )
  const loaded = await readConfig(flags)
  const { config } = loaded
  const scopes = flags.scopes?.split(/[\s,]+/).filter((word) => word !== '')
  const claims = name === undefined ? await readClaims(asked) : undefined
  const told = claims ? byClaims(claims, config, scopes) : await byName(asked, loaded, flags, scopes)
  print(flags, told, linesOf(told, config.auth.grants))
}

/** The claims of a token or of a sign-in, as JSON here or in a file; undefined where there is no such file. */
const readClaims = async (asked: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const isHere = asked.trimStart().startsWith('{')
  const file = isHere ? '--claims' : resolve(asked)
  const text = isHere ? asked : await claimsFile(file)
  if (text === undefined) return undefined
  const value = parsed(text)
  // Typed for somebody who was not here yet: who it is does not matter then.
  if (isRecord(value)) return isHere ? { sub: 'somebody', ...value } : value
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `${file} holds no claims: it must be a JSON object, as the middle part of a token is when it is decoded.`,
      `${file} 不含声明：必须是 JSON 对象，即令牌中间部分解码后的内容。`,
    ),
  )
}

const claimsFile = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const byClaims = (
  claims: Readonly<Record<string, unknown>>,
  config: Config,
  scopes: readonly string[] | undefined,
): Told => {
  const { people, tokens, grants } = config.auth
  const issuer = claims.iss ?? people?.issuer ?? tokens[0]?.issuer ?? 'https://issuer.invalid'
  const taken = tokens.find((each) => each.issuer === issuer)
  const setting = taken ? 'auth.tokens[].claims' : 'auth.people.claims'
  const names = taken?.claims ?? people?.claims ?? tokens[0]?.claims ?? { name: 'preferred_username', groups: 'groups' }
  const identity = identityFrom({ ...claims, iss: issuer }, { names, setting, groupsNeeded: false })
  const isMachines = taken?.subjects === undefined ? isMachine(claims) : taken.subjects === 'machines'
  const kind = isMachines ? 'machine' : 'person'
  const applicant: Applicant = { identity, kind, client: clientIn(claims) }
  return byGrant(applicant, explainGrant(grants, applicant), config, scopes ?? scopesIn(claims))
}

const byGrant = (
  { identity, kind }: Applicant,
  { granted, steps }: GrantStory,
  config: Config,
  scopes: readonly string[] | undefined,
): Told => ({
  who: { kind, id: identity.id, name: identity.name ?? identity.email ?? identity.subject },
  role: granted?.role ?? 'none',
  rights: rightsUnder(granted?.rights ?? [], scopes),
  scopes,
  profiles: granted?.profiles ?? [],
  endpoints: endpointsOf(granted?.profiles ?? [], config),
  limits: granted?.limits,
  steps,
})

const rightsUnder = (held: readonly Right[], scopes: readonly string[] | undefined): readonly Right[] =>
  scopes === undefined ? held : narrowed(held, scopes)

const byKey = ({ id, name, role, profile }: KeyRecord, config: Config): Told => {
  const profiles = profile === undefined ? ['*'] : [profile]
  const rights = rightsOfRole(role)
  return {
    who: { kind: 'key', id: `key:${id}`, name },
    role,
    rights,
    profiles,
    endpoints: rights.includes('discover') ? endpointsOf(profiles, config) : [],
    steps: [],
  }
}

const endpointsOf = (profiles: readonly string[], { server, profiles: all }: Config): readonly string[] => {
  const base = `${server.publicUrl?.replace(/\/+$/, '') ?? ''}${server.path === '/' ? '' : server.path}`
  const named = profiles.includes('*') ? [...new Set([...profiles, ...Object.keys(all)])] : profiles
  const own = named.filter((profile) => profile !== '*')
  return profiles.length === 0 ? [] : [base || '/', ...own.map((profile) => `${base}/${profile}`)]
}

/** Somebody who was here, by id, address or name; or a key, by its name or id. */
const byName = async (
  asked: string,
  loaded: Awaited<ReturnType<typeof readConfig>>,
  flags: WhoFlags,
  scopes: readonly string[] | undefined,
): Promise<Told> => {
  const { config } = loaded
  if (config.storage.backend === 'memory') throw nobody(asked, [])
  await assertOwnFolder(config.storage)
  const logger = quietLogger(loaded, flags, 'warn')
  await using storage = await storageOf(config, logger)
  await using people = await createPeople({ documents: storage.shared('people'), clock: systemClock, logger })
  await using keys = await openKeys(storage, logger)
  const person = people.find(asked)
  if (person) return byPerson(person, config, scopes)
  const active = keys.active()
  const key = active.find(({ id }) => asked === id || asked === `key:${id}`) ?? onlyOne(asked, active)
  if (key) return byKey(key, config)
  throw nobody(asked, [
    ...people.list().flatMap(({ name, email }) => [name ?? [], email ?? []].flat()),
    ...active.map((each) => each.name),
  ])
}

const byPerson = (person: Person, config: Config, scopes: readonly string[] | undefined): Told => {
  const { id, issuer, subject, name, email, groups } = person
  const applicant: Applicant = { kind: 'person', identity: { id, issuer, subject, name, email, groups } }
  return byGrant(applicant, explainGrant(config.auth.grants, applicant), config, scopes)
}

/** Two keys may have one name: then nobody knows which is meant. */
const onlyOne = (name: string, keys: readonly KeyRecord[]): KeyRecord | undefined => {
  const named = keys.filter((key) => key.name === name)
  if (named.length < 2) return named[0]
  throw new CommandFailed(
    say(
      `${named.length} keys are called '${oneLine(name)}'. Say which, by its id: ${named.map(({ id }) => id).join(', ')}`,
      `有 ${named.length} 个密钥名为“${oneLine(name)}”。请用 id 指明：${named.map(({ id }) => id).join('、')}`,
    ),
    exitCodes.failed,
  )
}

const nobody = (asked: string, known: readonly string[]): CommandFailed =>
  new CommandFailed(
    say(
      `Nobody called '${oneLine(asked.slice(0, 100))}' was here, no key has that name, and there is no such file${meant(asked, known)} For somebody who is still to come, say what the issuer will say of them: pegboard who --claims '{"groups":["eng"]}'`,
      `没有名为“${oneLine(asked.slice(0, 100))}”的人来过，没有这样的密钥，也没有这个文件${meant(asked, known)}对于尚未来过的人，请给出签发者将会声明的内容：pegboard who --claims '{"groups":["eng"]}'`,
    ),
    exitCodes.notFound,
  )

const linesOf = (told: Told, rows: readonly GrantRow[]): readonly string[] => [
  `${painted('bold', oneLine(told.who.name ?? told.who.id))}  ${painted('dim', `${kindHere(told.who.kind)} ${told.who.id}`)}`,
  ...told.steps.map((step) => stepLine(step, rows[step.row]!)),
  ...(told.steps.some(({ by }) => by) || told.who.kind === 'key' ? [] : [noRow(rows.length)]),
  told.rights.length === 0
    ? say('May do nothing here.', '在此不能做任何事。')
    : say(`Role ${told.role}: ${told.rights.join(', ')}`, `角色 ${told.role}：${told.rights.join('、')}`),
  ...(told.scopes
    ? [say(`  under the scopes ${told.scopes.join(' ')}`, `  受限于作用域 ${told.scopes.join(' ')}`)]
    : []),
  ...(told.profiles.length === 0
    ? []
    : [say(`Profiles: ${told.profiles.join(', ')}`, `配置档：${told.profiles.join('、')}`)]),
  ...told.endpoints.map((endpoint) => `  ${endpoint}`),
]

const noRow = (count: number): string =>
  count === 0
    ? say(
        '  auth.grants has no rows: nobody who signs in gets anything.',
        '  auth.grants 没有任何行：登录者得不到任何权限。',
      )
    : say(
        '  No row fits; "everyone": true is a row one has to write.',
        '  没有符合的行；"everyone": true 需要自己写上。',
      )

const kindHere = (kind: Told['who']['kind']): string =>
  ({ person: say('person', '人员'), machine: say('machine', '机器'), key: say('key', '密钥') })[kind]

const stepLine = ({ row, role, by, missed }: GrantStep, asked: GrantRow): string => {
  const number = say(`  row ${row + 1} → ${role}`, `  第 ${row + 1} 行 → ${role}`)
  if (by) {
    const how = by.entry === undefined ? by.condition : `${by.condition}: ${oneLine(by.entry)}`
    return painted('green', say(`${number}  fits by ${how}`, `${number}  符合 ${how}`))
  }
  const reasons = missed.map(
    ({ condition, why }) => `${condition} [${shortly(asked[condition] ?? [])}]: ${whyHere[why]()}`,
  )
  return painted('dim', `${number}  ${reasons.join('; ')}`)
}

const mostNamed = 5
const shortly = (names: readonly string[]): string =>
  `${names.slice(0, mostNamed).map(oneLine).join(', ')}${names.length > mostNamed ? ' …' : ''}`

const whyHere: Readonly<Record<GrantStep['missed'][number]['why'], () => string>> = {
  'not-named': () => say('none of these', '不在其中'),
  'no-groups': () => say('no groups are known of them', '没有其组信息'),
  'no-machine': () => say('for machines', '只用于机器'),
  'no-person': () => say('for people', '只用于人员'),
  'no-verified-address': () =>
    say('the issuer has not verified an address (email_verified)', '签发者未验证邮箱（email_verified）'),
}
