import type { HistoryStats } from '../../../src/faces/admin/history.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Figure } from '../parts/figure.js'

/** A stretch of time in six numbers. */
export const HistoryFigures = ({ stats: { totals } }: { readonly stats: HistoryStats }) => {
  const say = useTexts(historyWords)
  const { calls, errors, p50Ms, p95Ms, p99Ms, maxMs, sourceMs, waitingMs, argumentTokens, resultTokens } = totals
  const time = (ms: number): string => (calls === 0 ? '–' : formatMs(ms))
  return (
    <div className="figures">
      <Figure name={say('calls')} value={formatCount(calls)}>
        {calls > 0 &&
          say('whereTimeWent', { source: formatMs(sourceMs / calls), waiting: formatMs(waitingMs / calls) })}
      </Figure>
      <Figure name={say('errors')} value={formatCount(errors)} bad={errors > 0}>
        {say('errorRate', { n: calls === 0 ? 0 : ((errors / calls) * 100).toFixed(1) })}
      </Figure>
      <Figure name={say('p50')} value={time(p50Ms)}>
        {say('ofLatency')}
      </Figure>
      <Figure name={say('p95')} value={time(p95Ms)}>
        {say('ofLatency95')}
      </Figure>
      <Figure name={say('p99')} value={time(p99Ms)}>
        {calls > 0 && say('slowest', { n: formatMs(maxMs) })}
      </Figure>
      <Figure name={say('tokensMoved')} value={formatCount(argumentTokens + resultTokens)}>
        {say('tokensNote', { in: formatCount(argumentTokens), out: formatCount(resultTokens) })}
      </Figure>
    </div>
  )
}
