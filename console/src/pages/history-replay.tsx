import { useEffect, useState } from 'react'
import type { ReplayAnswer, ReplayedCall } from '../../../src/faces/admin/history.js'
import { post } from '../api/client.js'
import { formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure, Loading } from '../parts/page.js'

const tones: Readonly<Record<ReplayedCall['verdict'], Tone>> = {
  same: 'good',
  different: 'warn',
  failed: 'bad',
  cannot: 'calm',
  unconfirmed: 'accent',
}

const verdictWords = {
  same: 'same',
  different: 'different',
  failed: 'failedNow',
  cannot: 'cannot',
  unconfirmed: 'unconfirmed',
} as const

/** Calls made again, each with what differs. What may change something is made after a yes of its own. */
export const Replay = ({ ids, onClose }: { readonly ids: readonly string[]; onClose(): void }) => {
  const say = useTexts(historyWords)
  const [rows, setRows] = useState<readonly ReplayedCall[]>()
  const [error, setError] = useState<Error>()
  const make = async (wanted: readonly string[], confirm: boolean): Promise<void> => {
    try {
      const { calls } = await post<ReplayAnswer>(
        '/history/replay',
        confirm ? { ids: wanted, confirm } : { ids: wanted },
      )
      const made = new Map(calls.map((call) => [call.id, call]))
      setRows((before) => (before ? before.map((row) => made.get(row.id) ?? row) : calls))
    } catch (thrown) {
      setError(thrown as Error)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once, when it is opened
  useEffect(() => void make(ids, false), [])
  const waiting = rows?.filter(({ verdict }) => verdict === 'unconfirmed') ?? []
  return (
    <Dialog title={say('replay')} onClose={onClose} wide>
      <p className="muted">{say('replayLead')}</p>
      {error && <Failure error={error} />}
      {!rows && !error && <Loading />}
      {rows && (
        <ul className="plain-list replayed">
          {rows.map((row) => (
            <Replayed key={row.id} row={row} />
          ))}
        </ul>
      )}
      <footer>
        <Button onClick={onClose}>{say('close')}</Button>
        {waiting.length > 0 && (
          <Button
            kind="danger"
            onClick={() =>
              void make(
                waiting.map(({ id }) => id),
                true,
              )
            }
          >
            {say('replayAnyway', { n: waiting.length })}
          </Button>
        )}
      </footer>
    </Dialog>
  )
}

const Replayed = ({ row }: { readonly row: ReplayedCall }) => {
  const say = useTexts(historyWords)
  const { verdict, tool, reason, code, latencyMs, keptLatencyMs, differences = [], more } = row
  return (
    <li>
      <p className="row">
        <Badge tone={tones[verdict]}>{say(verdictWords[verdict])}</Badge>
        <span className="strong mono">{tool ?? row.id}</span>
        {latencyMs !== undefined && keptLatencyMs !== undefined && (
          <span className="muted end">
            {say('tookThen', { now: formatMs(latencyMs), before: formatMs(keptLatencyMs) })}
          </span>
        )}
      </p>
      {verdict === 'unconfirmed' && <p className="muted">{say('unconfirmedWhy')}</p>}
      {verdict !== 'unconfirmed' && reason && (
        <p>
          {code && <code>{code}</code>} {reason}
        </p>
      )}
      {differences.length > 0 && (
        <ul className="differences">
          {differences.map(({ at, change, before, after }) => (
            <li key={`${at} ${change}`} className="difference">
              <span className="mono muted">{at === '' ? say('wholeResult') : at}</span>
              {before !== undefined && <del className="mono">{before}</del>}
              {after !== undefined && <ins className="mono">{after}</ins>}
            </li>
          ))}
        </ul>
      )}
      {more && <p className="muted">{say('moreDifferences')}</p>}
    </li>
  )
}
