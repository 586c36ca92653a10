import type { ApprovalRow, ApprovalsAnswer } from '../../../src/faces/admin/approvals.js'
import { post } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatAgo } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import type { Key } from '../i18n/words.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { CallApprovals } from './call-approvals.js'
import { diffLines, foldDiff } from './diff.js'

type Verdict = 'approve' | 'reject'
type Decide = (verdict: Verdict, rows: readonly ApprovalRow[]) => void

/** Tools that are no longer what somebody approved; above them calls that wait, the one that an address names first. */
export const Approvals = ({ call }: { readonly call: string | undefined }) => {
  const say = useTexts()
  const { held, catalog } = useLive()
  const { data, error, reload } = useLoad<ApprovalsAnswer>('/approvals', `${catalog}/${held}`)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const decide: Decide = (verdict, rows) =>
    void attempt(async () => {
      // Only what is on the page is decided about: what changed meanwhile is refused, and shown anew.
      const hashes = Object.fromEntries(rows.map(({ id, hash }) => [id, hash]))
      const path = verdict === 'approve' ? '/approvals' : '/approvals/reject'
      await post(path, { ids: rows.map(({ id }) => id), hashes }).finally(() => Promise.all([reload(), refresh()]))
    }, say('done'))
  const open = data.pending.filter(({ state }) => state === 'pending')
  return (
    <Page
      title={say('approvals')}
      lead={say('approvalsLead')}
      actions={data.pending.length > 1 && <Both all rows={data.pending} decide={decide} />}
    >
      {data.lockFile && <p className="notice warn">{say('lockDecides', { file: data.lockFile })}</p>}
      <CallApprovals first={call} />
      {open.length === 0 && <Empty title={say('noApprovals')} />}
      {bySource(data.pending).map(([source, rows]) => (
        <section key={source} aria-label={source}>
          <header className="group-head">
            <h2>{source}</h2>
            {rows.length > 1 && <Both rows={rows} of={source} decide={decide} />}
          </header>
          {rows.map((row) => (
            <Pending key={row.id} row={row} decide={decide} />
          ))}
        </section>
      ))}
    </Page>
  )
}

const bySource = (rows: readonly ApprovalRow[]): readonly (readonly [string, readonly ApprovalRow[]])[] =>
  [...new Set(rows.map(({ source }) => source))].map(
    (source) => [source, rows.filter((row) => row.source === source)] as const,
  )

interface BothProps {
  readonly rows: readonly ApprovalRow[]
  readonly all?: boolean
  /** The source that it is about. */
  readonly of?: string
  readonly decide: Decide
}

/** The two answers for several tools at once. */
const Both = ({ rows, all = false, of, decide }: BothProps) => {
  const say = useTexts()
  const open = rows.filter(({ state }) => state === 'pending')
  const named = (key: Key) => (of === undefined ? {} : { label: `${say(key)}: ${of}` })
  return (
    <>
      <Button
        right="approve"
        onClick={() => decide('reject', open)}
        disabled={open.length === 0}
        {...named('rejectAll')}
      >
        {say('rejectAll')}
      </Button>
      <Button
        right="approve"
        kind={all ? 'main' : 'plain'}
        onClick={() => decide('approve', rows)}
        {...named('approveAll')}
      >
        {say('approveAll')}
      </Button>
    </>
  )
}

const Pending = ({ row, decide }: { readonly row: ApprovalRow; readonly decide: Decide }) => {
  const say = useTexts()
  const { approvedBy, approvedAt, state, rejectedBy, rejectedAt } = row
  const when = formatAgo(approvedAt, say)
  return (
    <Card
      title={row.id}
      aside={
        <>
          {state === 'pending' && (
            <Button right="approve" onClick={() => decide('reject', [row])}>
              {say('reject')}
            </Button>
          )}
          <Button right="approve" kind="main" onClick={() => decide('approve', [row])}>
            {say('approve')}
          </Button>
        </>
      }
    >
      <p className="muted small">
        {approvedBy === undefined
          ? say('neverApproved')
          : approvedBy === 'first-seen'
            ? say('firstSeen', { when })
            : say('approvedAt', { when, who: approvedBy })}
      </p>
      {state === 'rejected' && (
        <p className="small">
          <Badge tone="bad">{say('rejected')}</Badge>{' '}
          {say('rejectedAt', { when: formatAgo(rejectedAt, say), who: rejectedBy ?? '—' })}
        </p>
      )}
      {row.why !== 'change' && (
        <p className="small">
          <Badge tone={row.why === 'newcomer' ? 'accent' : 'bad'}>{say(whys[row.why])}</Badge> {say(kindsOf[row.kind])}
        </p>
      )}
      <Findings row={row} />
      <Changes row={row} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <section className="diff" tabIndex={0} aria-label={`${say('before')} / ${say('after')}: ${row.id}`}>
        {foldDiff(diffLines(pretty(row.before), pretty(row.after))).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <span key={index} className={line === 'left-out' ? 'same muted' : line.kind}>
            {line === 'left-out' ? '  ⋯' : `${signs[line.kind]} ${line.text}`}
          </span>
        ))}
      </section>
    </Card>
  )
}

const whys = { newcomer: 'whyNew', finding: 'whyFinding', unreadable: 'whyUnreadable' } as const
const kindsOf = {
  tool: 'kindTool',
  instructions: 'kindInstructions',
  prompt: 'kindPrompt',
  template: 'kindTemplate',
  resource: 'kindResource',
} as const
const tonesOf = { high: 'bad', medium: 'warn', low: 'calm' } as const

/** What the scanner saw in it, the gravest first. */
const Findings = ({ row }: { readonly row: ApprovalRow }) => {
  const language = useLanguage()
  if (row.findings.length === 0) return null
  return (
    <ul className="changes small">
      {row.findings.slice(0, mostShown).map(({ rule, place, severity, reason, excerpt }) => (
        <li key={`${rule}${place}`}>
          <Badge tone={tonesOf[severity]}>{rule}</Badge> <code>{place}</code> {reason[language]} <code>{excerpt}</code>
        </li>
      ))}
    </ul>
  )
}

const kinds: Readonly<Record<string, readonly [Key, Tone]>> = {
  words: ['changeWords', 'bad'],
  widening: ['changeWidening', 'bad'],
  other: ['changeOther', 'warn'],
  opened: ['changeOpened', 'calm'],
  narrowing: ['changeNarrowing', 'calm'],
  cosmetic: ['changeCosmetic', 'calm'],
}
const mostShown = 6

/** What the difference means, place by place. */
const Changes = ({ row }: { readonly row: ApprovalRow }) => {
  const say = useTexts()
  return (
    <ul className="changes small">
      {row.changes.slice(0, mostShown).map(({ path, kind }) => {
        const [text, tone] = kinds[kind] ?? kinds.other!
        return (
          <li key={path}>
            <Badge tone={tone}>{say(text)}</Badge> <code>{path}</code>
          </li>
        )
      })}
    </ul>
  )
}

const signs = { same: ' ', gone: '−', new: '+' } as const

const pretty = (value: unknown): string => JSON.stringify(value ?? {}, null, 2)
