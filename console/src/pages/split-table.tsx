import type { HistoryStats } from '../../../src/faces/admin/history.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { historyWords } from '../i18n/words-history.js'
import { Empty } from '../parts/page.js'

export interface SplitTableProps {
  readonly stats: HistoryStats
  /** What the first column is called. */
  readonly title: string
  /** Where a row leads. */
  hrefOf(name: string): string
}

/** Calls by tool, source, client …: the most called first, with what they took. */
export const SplitTable = ({ stats: { split = [], rest }, title, hrefOf }: SplitTableProps) => {
  const say = useTexts(historyWords)
  if (split.length === 0) return <Empty title={say('noneFit')} />
  const most = Math.max(...split.map(({ calls }) => calls), 1)
  return (
    <div className="scroll-x">
      <table className="ranked">
        <thead>
          <tr>
            <th>{title}</th>
            <th className="end">{say('calls')}</th>
            <th className="end">{say('errors')}</th>
            <th className="end">{say('p50')}</th>
            <th className="end">{say('p95')}</th>
            <th className="end wide-only">{say('p99')}</th>
            <th className="end wide-only">{say('tokensMoved')}</th>
          </tr>
        </thead>
        <tbody>
          {split.map((row) => (
            <tr key={row.name}>
              <td>
                <a href={hrefOf(row.name)} className="mono">
                  {row.name === '' ? say('nameless') : row.name}
                </a>
                <meter min={0} max={most} value={row.calls} aria-label={say('calls')} />
              </td>
              <td className="end mono">{formatCount(row.calls)}</td>
              <td className={row.errors > 0 ? 'end mono bad-text' : 'end mono'}>{formatCount(row.errors)}</td>
              <td className="end mono">{formatMs(row.p50Ms)}</td>
              <td className="end mono">{formatMs(row.p95Ms)}</td>
              <td className="end mono wide-only">{formatMs(row.p99Ms)}</td>
              <td className="end mono wide-only">{formatCount(row.argumentTokens + row.resultTokens)}</td>
            </tr>
          ))}
          {rest && (
            <tr className="muted">
              <td>{say('restN', { n: formatCount(rest.names) })}</td>
              <td className="end mono">{formatCount(rest.calls)}</td>
              <td className="end mono">{formatCount(rest.errors)}</td>
              <td className="end mono">{formatMs(rest.p50Ms)}</td>
              <td className="end mono">{formatMs(rest.p95Ms)}</td>
              <td className="end mono wide-only">{formatMs(rest.p99Ms)}</td>
              <td className="end mono wide-only">{formatCount(rest.argumentTokens + rest.resultTokens)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
