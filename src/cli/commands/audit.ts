import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { auditKeys, pseudonymsOf } from '../../serving/audit-keys.js'
import { auditFolder } from '../../serving/audit-trail.js'
import { count, say } from '../../serving/locale.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { csvHead, csvLine } from '../../telemetry/audit-csv.js'
import { type AuditEntry, type AuditKind, type AuditOutcome, readEntry } from '../../telemetry/audit-entry.js'
import { linesForwards, pagesOf, trailIn } from '../../telemetry/audit-pages.js'
import { type AuditFilter, fittingEntry, searchTrail } from '../../telemetry/audit-search.js'
import { AuditTail } from '../../telemetry/audit-tail.js'
import { type AuditFault, type Verification, verifyTrail } from '../../telemetry/audit-verify.js'
import { plainText } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { pastTime } from '../terminal/past-time.js'
import { isOutputGone, painted, print } from '../terminal/terminal.js'

export interface AuditFlags extends CommonFlags {
  readonly person?: string | undefined
  readonly tool?: string | undefined
  readonly kind?: AuditKind | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly run?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly json?: boolean | undefined
}

const pollMs = 500
const mostListed = 10_000

/** `pegboard audit`: lines of the trail on this machine, the newest last, as logs are read. */
export const listAudit = async (
  flags: AuditFlags & { readonly limit?: string | undefined; readonly follow?: boolean | undefined },
): Promise<void> => {
  const { trail, filter } = await place(flags)
  const limit = wholeOf(flags.limit ?? '50')
  const tail = flags.follow ? await AuditTail.at(trail) : undefined
  const found = await newest(trail, filter, limit)
  const show = (entry: AuditEntry): void =>
    void process.stdout.write(`${flags.json ? JSON.stringify(entry) : entryLine(entry)}\n`)
  for (const entry of found.toReversed()) show(entry)
  if (tail) return follow(tail, filter, new Set(found.map(nameOf)), show)
  if (found.length === 0 && !flags.json)
    process.stderr.write(say(`pegboard: no such line in ${trail}.\n`, `pegboard: ${trail} 中没有符合条件的记录。\n`))
}

/** Until nobody reads it any more. What came while the first ones were looked for was shown with them. */
const follow = async (
  tail: AuditTail,
  filter: AuditFilter,
  shown: Set<string>,
  show: (entry: AuditEntry) => void,
): Promise<void> => {
  const fits = fittingEntry(filter)
  while (!isOutputGone()) {
    for await (const lines of tail.more()) {
      const entries = lines.flatMap((line) => readEntry(line) ?? []).filter(fits)
      for (const entry of entries) if (!shown.has(nameOf(entry))) show(entry)
      if (process.stdout.writableNeedDrain && !isOutputGone())
        await new Promise((resolve) => process.stdout.once('drain', resolve).once('close', resolve))
    }
    shown.clear()
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** `pegboard audit verify`. */
export const verifyAudit = async (flags: AuditFlags): Promise<void> => {
  const { trail, config } = await place(flags)
  const verified = await verifyTrail(trail, auditKeys(config, process.env).keyOf)
  print(flags, verified, wordsOf(verified, trail))
  if (verified.broken) throw new CommandFailed(brokenWords(verified.broken), exitCodes.failed)
}

/** `pegboard audit export`: everything that fits, the oldest first. */
export const exportAudit = async (flags: AuditFlags & { readonly format: string }): Promise<void> => {
  const { trail, filter } = await place(flags)
  const fits = fittingEntry(filter)
  if (flags.format !== 'csv' && flags.format !== 'jsonl')
    throw new GatewayError('ARGUMENTS_INVALID', say('--format must be jsonl or csv.', '--format 必须是 jsonl 或 csv。'))
  const isTable = flags.format === 'csv' && !flags.json
  if (isTable) process.stdout.write(`${csvHead}\r\n`)
  for (const { path } of [...(await pagesOf(trail))].reverse())
    for await (const lines of linesForwards(path)) {
      const entries = lines.flatMap(({ text }) => readEntry(text) ?? []).filter(fits)
      const text = entries.map((entry) => (isTable ? `${csvLine(entry)}\r\n` : `${JSON.stringify(entry)}\n`)).join('')
      if (isOutputGone()) return
      if (text !== '' && !process.stdout.write(text))
        await new Promise((resolve) => process.stdout.once('drain', resolve))
    }
}

const place = async (
  flags: AuditFlags,
): Promise<{ readonly trail: string; readonly config: Config; readonly filter: AuditFilter }> => {
  const { config } = await readConfig(flags)
  const { tool, kind, outcome, run, since, until } = flags
  const { audit } = config.telemetry
  const isHidden = typeof audit === 'object' && audit.people === 'hash' && flags.person !== undefined
  const person = isHidden ? hidden(config, flags.person!) : flags.person
  return {
    trail: trailIn(auditFolder(config)),
    config,
    filter: { person, tool, kind, outcome, run, since: pastTime('--since', since), until: pastTime('--until', until) },
  }
}

/** Whoever knows the id finds its lines, where the names are made by this vault. */
const hidden = (config: Config, person: string): string => {
  const key = auditKeys(config, process.env).signer()?.key
  return key === undefined || person.startsWith('h:') ? person : pseudonymsOf(key)(person)
}

const newest = async (trail: string, filter: AuditFilter, limit: number): Promise<readonly AuditEntry[]> => {
  const found: AuditEntry[] = []
  let cursor: string | undefined
  do {
    const { entries, next } = await searchTrail(trail, { ...filter, limit: limit - found.length, cursor })
    found.push(...entries)
    cursor = next
  } while (cursor !== undefined && found.length < limit)
  return found
}

const nameOf = ({ chain, seq, at, on }: AuditEntry): string => `${chain ?? ''} ${seq ?? ''} ${at} ${on?.id ?? ''}`

const wholeOf = (text: string): number => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return Math.min(number, mostListed)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say('--limit must be a whole number from 1.', '--limit 必须是不小于 1 的整数。'),
  )
}

const colours = { ok: 'green', refused: 'yellow', failed: 'red' } as const

const entryLine = ({
  at,
  kind,
  action,
  actor,
  on,
  outcome,
  code,
  ms,
  count,
  severity,
  run,
  step,
}: AuditEntry): string =>
  [
    painted('dim', at.slice(0, 19).replace('T', ' ')),
    painted(colours[outcome], outcome.padEnd(7)),
    kind === action ? kind : `${kind} ${action}`,
    on && plainText(on.id),
    painted('dim', say('by', '由')),
    plainText(actor.name === undefined ? actor.id : `${actor.name} (${actor.id})`),
    code,
    count === undefined ? undefined : `×${count}`,
    ms === undefined ? undefined : painted('dim', `${ms.toFixed(0)} ms`),
    run === undefined ? undefined : painted('dim', step === undefined ? run : `${run} #${step}`),
    severity === undefined ? undefined : painted('red', '!'),
  ]
    .filter((part) => part !== undefined)
    .join(' ')

const wordsOf = (verified: Verification, trail: string): readonly string[] => {
  const { files, lines, chains, unchained, torn, unsigned, checkpoints } = verified
  const notes = [
    [
      unchained,
      say(
        `${unchained} lines are of before there was a chain: nothing vouches for them.`,
        `${unchained} 行早于链式记录，无从校验。`,
      ),
    ],
    [torn, say(`${torn} lines were cut by a crash.`, `${torn} 行因崩溃而不完整。`)],
    [
      checkpoints.unchecked,
      say(
        `${checkpoints.unchecked} checkpoints are of a root that is not here.`,
        `${checkpoints.unchecked} 个检查点由此处没有的根密钥签名。`,
      ),
    ],
    [
      unsigned,
      say(
        `${unsigned} lines are not under a checkpoint yet: who owns the disk could have cut off what followed.`,
        `${unsigned} 行尚无检查点：磁盘的主人可能截去了其后的内容。`,
      ),
    ],
  ] as const
  return [
    say(
      `${trail}: ${count(lines, 'line')} in ${count(files, 'file')}, ${count(chains.length, 'chain')}, ${count(checkpoints.checked, 'checkpoint')}.`,
      `${trail}：${files} 个文件共 ${lines} 行，${chains.length} 条链，${checkpoints.checked} 个检查点。`,
    ),
    ...notes.flatMap(([number, words]) => (number > 0 ? [painted('dim', words)] : [])),
    ...(verified.ok ? [painted('green', say('Every line is as it was written.', '每一行都与写入时一致。'))] : []),
  ]
}

const faults: Readonly<Record<AuditFault, string>> = {
  changed: say('it is not as it was written', '内容与写入时不一致'),
  missing: say('lines before it are missing', '其前的记录缺失'),
  order: say('it stands in another place than it was written, or twice', '位置与写入时不同，或出现两次'),
  unreadable: say('it cannot be read, and no crash explains it', '无法读取，且并非崩溃所致'),
  unchained: say('it belongs to no chain', '不属于任何链'),
  signature: say(
    'the checkpoint was not signed by this vault, or what it vouches for was changed',
    '检查点不是由此保险库签名，或其担保的内容已被修改',
  ),
}

const brokenWords = ({ file, line, fault, seq }: NonNullable<Verification['broken']>): string =>
  say(
    `The trail is broken at ${file}, line ${line}${seq === undefined ? '' : ` (seq ${seq})`}: ${faults[fault]}.`,
    `审计记录在 ${file} 第 ${line} 行${seq === undefined ? '' : `（seq ${seq}）`}处中断：${faults[fault]}。`,
  )
