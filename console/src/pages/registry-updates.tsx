import { useState } from 'react'
import type { SourceUpdateRow, SourceUpdatesAnswer } from '../../../src/faces/admin/registry.js'
import { get, post, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useTexts } from '../i18n/texts.js'
import { registryWords as own } from '../i18n/words-registry.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Card } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'

/** What newer versions would change; looked for when asked, taken one by one. */
export const RegistryUpdates = () => {
  const say = useTexts(own)
  const [rows, setRows] = useState<readonly SourceUpdateRow[]>()
  const look = () => attempt(async () => setRows((await get<SourceUpdatesAnswer>('/registry/updates')).sources))
  const take = ({ source, latest }: SourceUpdateRow) =>
    attempt(async () => {
      await post(`/registry/updates/${segment(source)}`, { version: latest })
      await Promise.all([look(), refresh()])
    }, say('done'))
  return (
    <Card title={say('updatesTitle')} aside={<Button onClick={() => void look()}>{say('lookForUpdates')}</Button>}>
      {rows?.length === 0 && <p className="muted">{say('noneFromRegistry')}</p>}
      {rows && rows.length > 0 && (
        <ul className="plain-list">
          {rows.map((row) => (
            <Update key={row.source} row={row} onTake={() => void take(row)} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const signs = { ' ': 'same', '+': 'new', '-': 'gone' } as const

const Update = ({ row, onTake }: { readonly row: SourceUpdateRow; onTake(): void }) => {
  const say = useTexts(own)
  const { source, name, version, latest, state, reason, diff, missing } = row
  const title = say('whatChangesIn', { name: source })
  return (
    <li className="registry-line">
      <span className="row">
        <a className="strong" href={hrefOf('sources', source)}>
          {source}
        </a>
        <span className="muted mono small">{state === 'newer' ? `${version} → ${latest}` : version}</span>
        {state === 'current' && <Badge tone="good">{say('newest')}</Badge>}
        {state === 'newer' && missing.length === 0 && (
          <span className="end">
            <Button onClick={onTake} right="spawn">
              {say('takeUpdate', { version: latest ?? '' })}
            </Button>
          </span>
        )}
      </span>
      <span className="muted mono small path">{name}</span>
      {reason !== undefined && <span className="why">{reason}</span>}
      {missing.length > 0 && (
        <span className="caution small">
          {say('alsoAsks', { names: missing.join(', '), command: `pegboard registry update ${source}` })}
        </span>
      )}
      {diff.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
        <section className="diff" tabIndex={0} aria-label={title}>
          {diff.map(({ sign, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
            <span key={index} className={signs[sign]}>
              {`${sign} ${text}`}
            </span>
          ))}
        </section>
      )}
    </li>
  )
}
