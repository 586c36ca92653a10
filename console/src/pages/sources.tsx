import { useState } from 'react'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { useLive } from '../api/live.js'
import { useTexts } from '../i18n/texts.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Icon } from '../parts/icon.js'
import { Empty, Page } from '../parts/page.js'
import { Reason } from '../parts/reason.js'
import { go, hrefOf } from '../router.js'
import { LeftAlone } from './left-alone.js'
import { SourceForm } from './source-form.js'
import { SourcePage } from './source-page.js'

/** Where tools come from, and how each of these places is. */
export const Sources = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts()
  const { sources } = useLive()
  const [adding, setAdding] = useState(false)
  if (item !== undefined) return <SourcePage key={item} name={item} />
  return (
    <Page
      title={say('sources')}
      actions={
        <Button right="spawn" kind="main" icon="plus" onClick={() => setAdding(true)}>
          {say('addSource')}
        </Button>
      }
    >
      {sources.filter(({ configured }) => configured).length === 0 && (
        <Empty title={say('noSources')}>
          <p className="muted">{say('noSourcesLead')}</p>
          <a className="button plain" href={hrefOf('import')}>
            <Icon name="import" />
            {say('importFromClients')}
          </a>
        </Empty>
      )}
      <ul className="source-cards">
        {sources.map((source) => (
          <SourceCard key={source.name} source={source} />
        ))}
      </ul>
      {adding && (
        <Dialog title={say('addSource')} wide onClose={() => setAdding(false)}>
          <SourceForm
            onSaved={(name) => {
              setAdding(false)
              go('sources', name)
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}

const SourceCard = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts()
  return (
    <li>
      <a className="card source-card" href={hrefOf('sources', source.name)}>
        <span className="row">
          <span className="strong">{source.name}</span>
          <State state={source.state} />
        </span>
        <span className="row muted small">
          <Badge>{source.configured ? source.kind : say('builtIn')}</Badge>
          <span>{say('nTools', { n: source.tools })}</span>
          {source.replica !== undefined && <span>{say('runsAt', { name: source.replica })}</span>}
          {source.elsewhere?.map(({ replica, state }) => (
            <span key={replica} className="row">
              <State state={state} /> {say('runsAt', { name: replica })}
            </span>
          ))}
          <LeftAlone source={source} />
          {source.held > 0 && <Badge tone="warn">{say('heldN', { n: source.held })}</Badge>}
        </span>
        {source.reason && (
          <span className="why">
            <Reason reason={source.reason} retryAt={source.nextRetryAt} />
          </span>
        )}
      </a>
    </li>
  )
}
