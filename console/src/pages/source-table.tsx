import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Badge, State } from '../parts/badge.js'
import { Reason } from '../parts/reason.js'
import { Retry } from '../parts/retry.js'
import { walkRows } from '../parts/row-keys.js'
import { hrefOf } from '../router.js'
import { LeftAlone } from './left-alone.js'
import type { Sort } from './source-order.js'
import { SourceSwitch } from './source-switch.js'

export interface SourceTableProps {
  readonly sources: readonly SourceRow[]
  readonly sort: Sort
  onSort(sort: Sort): void
}

const columns = [
  ['name', 'name'],
  ['state', 'state'],
  ['kind', 'kind'],
  ['tools', 'tools'],
] as const

/** The same list, a line for each. */
export const SourceTable = ({ sources, sort, onSort }: SourceTableProps) => {
  const say = useTexts(sourceWords)
  return (
    <section className="card scroll-x">
      <table className="as-cards source-table" onKeyDown={walkRows}>
        <thead>
          <tr>
            <th>{say('onOff')}</th>
            {columns.map(([key, text]) => (
              <th key={key} aria-sort={sort === key ? (key === 'tools' ? 'descending' : 'ascending') : undefined}>
                <button type="button" className="sorter" onClick={() => onSort(key)}>
                  {say(text)}
                </button>
              </th>
            ))}
            <th>{say('reason')}</th>
            <th>{say('nextTry')}</th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.name}>
              <td data-label={say('onOff')}>
                <SourceSwitch source={source} />
              </td>
              <td className="strong" data-label={say('name')}>
                <a href={hrefOf('sources', source.name)} data-row>
                  {source.name}
                </a>
              </td>
              <td data-label={say('state')}>
                <State state={source.state} />
              </td>
              <td data-label={say('kind')}>{source.configured ? source.kind : say('builtIn')}</td>
              <td className="number" data-label={say('tools')}>
                {source.tools} <LeftAlone source={source} />{' '}
                {source.held > 0 && <Badge tone="warn">{say('heldN', { n: source.held })}</Badge>}
              </td>
              <td className="muted small reason-cell" data-label={say('reason')}>
                {source.reason && source.enabled && (
                  <span className="two-lines" title={source.reason}>
                    <Reason reason={source.reason} />
                  </span>
                )}
              </td>
              <td className="small" data-label={say('nextTry')}>
                {source.nextRetryAt !== undefined && <Retry at={source.nextRetryAt} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
