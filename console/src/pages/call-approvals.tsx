import { useState } from 'react'
import type { CallAnswerBody, CallApprovalRow, CallApprovalsAnswer } from '../../../src/faces/admin/call-approvals.js'
import { post, segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatTime } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { Card } from '../parts/page.js'
import { Countdown } from '../parts/retry.js'
import { attempt } from '../parts/toast.js'
import { type ArgumentLine, argumentLines } from './argument-lines.js'
import { callWords } from './call-words.js'
import { diffLines, foldDiff } from './diff.js'

type Answer = (id: string, answer: CallAnswerBody) => void
type Group = readonly [CallApprovalRow, ...CallApprovalRow[]]

/** Calls that a rule asks about: exactly what each would send, and the answer to it. Nothing where none waits. */
export const CallApprovals = ({ first }: { readonly first: string | undefined }) => {
  const say = useTexts(callWords)
  const { calls, catalog } = useLive()
  // A call that is refused for want of an answer is a call that ended: then there is something new to look at.
  const { data, reload } = useLoad<CallApprovalsAnswer>(
    '/approvals/calls',
    `${catalog}/${calls.length}/${calls[0]?.at ?? 0}`,
  )
  const open = (data?.calls ?? [])
    .filter(({ state }) => state === 'asked')
    .sort((a, b) => Number(b.id === first) - Number(a.id === first))
  const answer: Answer = (id, body) =>
    void attempt(() => post(`/approvals/calls/${segment(id)}`, body).finally(reload), say('done'))
  if (open.length === 0) return null
  return (
    <section aria-label={say('callsWaiting')}>
      <header className="group-head">
        <h2>{say('callsWaiting')}</h2>
      </header>
      <p className="muted">{say('callsLead')}</p>
      {groupsOf(open).map(([first, ...more]) =>
        more.length === 0 ? (
          <Asked key={first.id} row={first} answer={answer} />
        ) : (
          <AskedTogether key={first.run} rows={[first, ...more]} answer={answer} />
        ),
      )}
    </section>
  )
}

/** What one script asks for stands together, where the first of it would. */
const groupsOf = (rows: readonly CallApprovalRow[]): readonly Group[] => {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const key = row.run ?? row.id
    groups.set(key, [...(groups.get(key) ?? []), row] as unknown as Group)
  }
  return [...groups.values()]
}

/** One answer to what is shown here, and to nothing that the script may have asked for since. */
const AskedTogether = ({ rows, answer }: { readonly rows: Group; readonly answer: Answer }) => {
  const say = useTexts(callWords)
  const [note, setNote] = useState<string>()
  const run = rows[0].run ?? ''
  const ids = rows.map(({ id }) => id)
  const labelled = (text: string) => ({ label: `${text}: ${run}` })
  return (
    <section aria-label={say('ofOneScript', { n: rows.length, run })}>
      <Card
        title={say('ofOneScript', { n: rows.length, run })}
        aside={
          <>
            <Button
              right="approve"
              onClick={() => setNote(note === undefined ? '' : undefined)}
              {...labelled(say('denyAll'))}
            >
              {say('denyAll')}
            </Button>
            <Button
              right="approve"
              kind="main"
              onClick={() => answer(run, { decision: 'once', ids })}
              {...labelled(say('approveAll', { n: rows.length }))}
            >
              {say('approveAll', { n: rows.length })}
            </Button>
          </>
        }
      >
        <p className="muted small">{say('togetherLead')}</p>
        {note !== undefined && (
          <DenyForm
            note={note}
            setNote={setNote}
            text={say('denyAllNow', { n: rows.length })}
            onDeny={(said) => answer(run, { ...said, ids })}
          />
        )}
      </Card>
      {rows.map((row) => (
        <Asked key={row.id} row={row} answer={answer} />
      ))}
    </section>
  )
}

interface DenyFormProps {
  readonly note: string
  readonly text: string
  readonly setNote: (note: string) => void
  readonly onDeny: (answer: CallAnswerBody) => void
}

const DenyForm = ({ note, text, setNote, onDeny }: DenyFormProps) => {
  const say = useTexts(callWords)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onDeny({ decision: 'deny', ...(note === '' ? {} : { note }) })
      }}
    >
      <Text label={say('denyNote')} value={note} onChange={setNote} autoFocus />
      <Button submit kind="danger">
        {text}
      </Button>
    </form>
  )
}

const Asked = ({ row, answer }: { readonly row: CallApprovalRow; readonly answer: Answer }) => {
  const say = useTexts(callWords)
  const language = useLanguage()
  const [note, setNote] = useState<string>()
  const labelled = (text: string) => ({ label: `${text}: ${row.tool}` })
  return (
    <Card
      title={row.title === undefined ? row.tool : `${row.title} · ${row.tool}`}
      aside={
        <>
          <Button
            right="approve"
            onClick={() => setNote(note === undefined ? '' : undefined)}
            {...labelled(say('deny'))}
          >
            {say('deny')}
          </Button>
          {row.remember.includes('minutes') && (
            <Button
              right="approve"
              onClick={() => answer(row.id, { decision: 'for', forMs: 600_000 })}
              {...labelled(say('forMinutes'))}
            >
              {say('forMinutes')}
            </Button>
          )}
          <Button
            right="approve"
            kind="main"
            onClick={() => answer(row.id, { decision: 'once' })}
            {...labelled(say('approveOnce'))}
          >
            {say('approveOnce')}
          </Button>
        </>
      }
    >
      <p className="small">
        {say('askedBy', { who: row.callerName ?? row.caller, rule: row.rules.join(', ') })}
        {row.reason !== undefined && ` ${row.reason}`}
      </p>
      <p className="muted small">
        {say('since', { time: formatTime(row.askedAt, language) })} · <Countdown at={row.expiresAt} text="givenUpIn" />
      </p>
      {note !== undefined && (
        <DenyForm note={note} setNote={setNote} text={say('denyNow')} onDeny={(said) => answer(row.id, said)} />
      )}
      <Arguments row={row} />
    </Card>
  )
}

const Arguments = ({ row }: { readonly row: CallApprovalRow }) => {
  const say = useTexts(callWords)
  if (row.arguments === undefined) return <p className="muted small">{say('argumentsAway')}</p>
  const lines = argumentLines(row.arguments)
  return (
    <>
      {row.isCut && <p className="notice warn">{say('argumentsCut', { n: row.argumentBytes })}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse */}
      <section className="diff" tabIndex={0} aria-label={`${say('argumentsOf')}: ${row.tool}, ${row.id}`}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
          <Line key={index} line={line} />
        ))}
      </section>
      {row.lastArguments !== undefined && row.lastArguments !== row.arguments && (
        <details>
          <summary>{say('sinceLast')}</summary>
          <section className="diff" aria-label={say('sinceLast')}>
            {foldDiff(diffLines(plain(row.lastArguments), plain(row.arguments))).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
              <span key={index} className={line === 'left-out' ? 'same muted' : line.kind}>
                {line === 'left-out' ? '  ⋯' : `${signs[line.kind]} ${line.text}`}
              </span>
            ))}
          </section>
        </details>
      )}
    </>
  )
}

const signs = { same: ' ', gone: '−', new: '+' } as const
const plain = (text: string): string =>
  argumentLines(text)
    .map((line) => line.text)
    .join('\n')

// Long texts are folded, and their length is told: nothing may be pushed out of sight by what stands before it.
const longest = 240

const Line = ({ line: { text } }: { readonly line: ArgumentLine }) => {
  const say = useTexts(callWords)
  if (text.length <= longest) return <span className="same">{text}</span>
  return (
    <details className="same">
      <summary>
        {text.slice(0, 120)} <span className="muted">{say('charactersMore', { n: text.length - 120 })}</span>
      </summary>
      {text}
    </details>
  )
}
