import { type FormEvent, useState } from 'react'
import type { ResourceAnswer, ResourceRow, ResourcesAnswer } from '../../../src/faces/admin/offers.js'
import { post } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { offerWords } from '../i18n/words-offers.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'
import { OfferedAnswer, OfferedContent } from './offered-content.js'
import { fitsWords } from './source-order.js'

type Row = ResourceRow & { readonly isTemplate: boolean }

/** What sources let clients read, and one of it read by hand (G10). */
export const Resources = ({ item }: { readonly item: string | undefined }) => {
  const say = useTexts(offerWords)
  const { catalog } = useLive()
  const { data, error } = useLoad<ResourcesAnswer>('/resources', catalog)
  const [words, setWords] = useState('')
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const all: readonly Row[] = [
    ...data.templates.map((row) => ({ ...row, isTemplate: true })),
    ...data.resources.map((row) => ({ ...row, isTemplate: false })),
  ]
  const rows = all.filter((row) => fitsWords([row.uri, row.name, row.title, row.source, row.description], words))
  const chosen = all.find(({ uri }) => uri === item)
  return (
    <Page title={say('resources')} lead={say('resourcesLead')}>
      {all.length === 0 ? (
        <Empty title={say('noResources')} />
      ) : (
        <div className={`split${item === undefined ? '' : ' has-item'}`}>
          <section className="card list-pane">
            <input
              type="search"
              aria-label={say('filterResources')}
              placeholder={say('filterResources')}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            <p className="muted small" role="status">
              {say('nShown', { n: formatCount(rows.length), all: formatCount(all.length) })}
            </p>
            {rows.length === 0 ? (
              <Empty title={say('nothingFound')} />
            ) : (
              <Rows
                rows={rows}
                rowHeight={60}
                at={chosen && `${chosen.isTemplate} ${chosen.uri}`}
                label={say('resources')}
                keyOf={({ uri, isTemplate }) => `${isTemplate} ${uri}`}
                render={(row) => <Line row={row} isChosen={row.uri === item} />}
              />
            )}
          </section>
          {item === undefined ? (
            <Empty title={say('chooseResource')} />
          ) : (
            // An address that nobody lists may still be read: a template may know it.
            <ResourcePane key={item} uri={item} row={chosen} />
          )}
        </div>
      )}
    </Page>
  )
}

const Line = ({ row, isChosen }: { readonly row: Row; readonly isChosen: boolean }) => {
  const say = useTexts(offerWords)
  return (
    <a className="tool-line" href={hrefOf('resources', row.uri)} aria-current={isChosen || undefined}>
      <span className="strong clip">{row.title ?? row.name}</span>
      <span className="badges">{row.isTemplate && <Badge tone="accent">{say('template')}</Badge>}</span>
      <span className="muted clip summary mono">{row.uri}</span>
      <span className="muted small end">{row.source}</span>
    </a>
  )
}

const ResourcePane = ({ uri, row }: { readonly uri: string; readonly row: Row | undefined }) => {
  const say = useTexts(offerWords)
  const [address, setAddress] = useState(uri)
  const [answer, setAnswer] = useState<ResourceAnswer>()
  const [busy, setBusy] = useState(false)
  const read = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    await attempt(async () => setAnswer(await post<ResourceAnswer>('/resource-read', { uri: address })))
    setBusy(false)
  }
  const isUnfilled = row?.isTemplate === true && /\{[^}]*\}/.test(address)
  return (
    <article className="card detail">
      <a className="back" href={hrefOf('resources')}>
        <Icon name="back" /> {say('resources')}
      </a>
      <h2>{row?.title ?? row?.name ?? uri}</h2>
      <p className="description">{row?.description ?? '—'}</p>
      {row && (
        <p className="facts">
          <a href={hrefOf('sources', row.source)}>{row.source}</a>
          {row.mimeType && <span className="mono">{row.mimeType}</span>}
          {row.size !== undefined && <span>{say('bytes', { n: formatCount(row.size) })}</span>}
        </p>
      )}
      <form className="try" onSubmit={(event) => void read(event)}>
        <Text
          label={say('address')}
          mono
          value={address}
          onChange={setAddress}
          readOnly={row !== undefined && !row.isTemplate}
          hint={row?.isTemplate ? say('fillIn') : undefined}
        />
        <Button right="operate" kind="main" icon="play" submit disabled={busy || isUnfilled || address.trim() === ''}>
          {say(busy ? 'reading' : 'read')}
        </Button>
      </form>
      {answer && <Answer answer={answer} />}
    </article>
  )
}

const Answer = ({ answer }: { readonly answer: ResourceAnswer }) => {
  const say = useTexts(offerWords)
  return (
    <OfferedAnswer answer={answer} label={say('contents')}>
      {answer.contents?.length === 0 && <p className="muted">{say('emptyContents')}</p>}
      {answer.contents?.map(({ uri, mimeType, text, blob }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change while it is shown
        <div key={index} className="message">
          <p className="muted small mono break">
            {uri} {mimeType}
          </p>
          <OfferedContent text={text} blob={blob} type={mimeType} label={say('content', { n: index + 1 })} />
        </div>
      ))}
    </OfferedAnswer>
  )
}
