import { lazy, Suspense, useEffect, useState } from 'react'
import type { SignInLink, SignInsAnswer } from '../../../src/faces/admin/sign-ins.js'
import type { SourceDetail, SourceRow } from '../../../src/faces/admin/sources.js'
import { guardWords, lackingWords } from '../../../src/faces/guard-words.js'
import { processLabel, processWords } from '../../../src/faces/process-words.js'
import { del, post, segment } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Ask, Dialog } from '../parts/dialog.js'
import { SourceFindings } from '../parts/findings.js'
import { Icon } from '../parts/icon.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { Reason, Trace } from '../parts/reason.js'
import { Retry } from '../parts/retry.js'
import { attempt } from '../parts/toast.js'
import { go, hrefOf } from '../router.js'
import { LeftAloneTools } from './left-alone.js'
import { SourceTabs } from './source-tabs.js'

const SourceForm = lazy(async () => ({ default: (await import('./source-form.js')).SourceForm }))

/** One source: its state and why; below it what it has, does and says. */
export const SourcePage = ({ name }: { readonly name: string }) => {
  const say = useTexts()
  const { sources, catalog } = useLive()
  const live = sources.find((source) => source.name === name)
  const { data, error, reload } = useLoad<SourceDetail>(`/sources/${segment(name)}`, `${catalog}/${live?.state}`)
  const [editing, setEditing] = useState(false)
  // Its log grows without telling anybody.
  useEffect(() => {
    const timer = setInterval(() => void reload(), 3000)
    return () => clearInterval(timer)
  })
  if (error && !data)
    return (
      <Page title={name}>
        <Failure error={error} />
        <p>
          <a href={hrefOf('sources')}>{say('sources')}</a>
        </p>
      </Page>
    )
  if (!data) return <Loading />
  const source = live ?? data.source
  return (
    <>
      <a className="back always" href={hrefOf('sources')}>
        <Icon name="back" /> {say('sources')}
      </a>
      <Page title={name} actions={source.configured && <Actions source={source} onEdit={() => setEditing(true)} />}>
        <Card>
          <Status source={source} />
        </Card>
        {data.findings.length > 0 && (
          <Card title={say('toLookAt')}>
            <SourceFindings items={data.findings} />
          </Card>
        )}
        <SourceTabs key={name} source={source} detail={data} />
        {editing && data.config && (
          <Dialog title={say('editSource', { name })} wide onClose={() => setEditing(false)}>
            <Suspense fallback={<Loading />}>
              <SourceForm
                name={name}
                isThere
                config={data.config}
                onSaved={() => {
                  setEditing(false)
                  void reload()
                }}
              />
            </Suspense>
          </Dialog>
        )}
      </Page>
    </>
  )
}

const howWords = { remote: 'howRemote', unpinned: 'howUnpinned', pinned: 'howPinned', local: 'howLocal' } as const

const Status = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <dl className="facts-list">
      <dt>{say('state')}</dt>
      <dd>
        <State state={source.state} /> <Retry at={source.nextRetryAt} />
      </dd>
      {source.reason && (
        <>
          <dt>{say('reason')}</dt>
          <dd className="reason">
            <Reason reason={source.reason} />
            <Trace reason={source.reason} />
          </dd>
        </>
      )}
      <LeftAloneTools source={source} />
      <dt>{say('kind')}</dt>
      <dd>{source.kind}</dd>
      {source.guards && <Guards guards={source.guards} />}
      {source.processes && (
        <>
          <dt>{processLabel(language)}</dt>
          <dd>{processWords(source.processes, language)}</dd>
        </>
      )}
      <dt>{say('tools')}</dt>
      <dd>{source.tools}</dd>
      {source.pinned && (
        <>
          <dt>{say('trust')}</dt>
          <dd>
            <Badge tone={source.pinned.newTools === 'hold' ? 'warn' : 'calm'}>{say(howWords[source.pinned.how])}</Badge>{' '}
            {source.pinned.reason[language]}
            {'; '}
            {say(source.pinned.newTools === 'hold' ? 'newWaits' : 'newNoted')}
          </dd>
        </>
      )}
      {source.peer && (
        <>
          <dt>{say('peer')}</dt>
          <dd>
            MCP {source.peer.version} ({source.peer.era}) {source.peer.name}
          </dd>
        </>
      )}
    </dl>
  )
}

const Guards = ({ guards }: { readonly guards: NonNullable<SourceRow['guards']> }) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <>
      <dt>{say('runsWith')}</dt>
      <dd>{guardWords(guards, language)}</dd>
      {guards.lacking.length > 0 && (
        <>
          <dt>{say('notKept')}</dt>
          <dd className="reason">{lackingWords(guards, language)}</dd>
        </>
      )}
    </>
  )
}

const Actions = ({ source, onEdit }: { readonly source: SourceRow; onEdit(): void }) => {
  const say = useTexts()
  const [removing, setRemoving] = useState(false)
  const path = `/sources/${segment(source.name)}`
  const act = (action: () => Promise<unknown>) => attempt(() => action().then(() => refresh()), say('done'))
  const remove = async (): Promise<void> => {
    setRemoving(false)
    if (!(await attempt(() => del(path), say('done')))) return
    // Away first: this page would ask for what is no longer there.
    go('sources')
    await refresh().catch(() => {})
  }
  return (
    <>
      <SourceSignIn source={source} />
      <Button right="spawn" onClick={onEdit}>
        {say('edit')}
      </Button>
      {source.enabled ? (
        <>
          <Button right="operate" onClick={() => void act(() => post(`${path}/restart`))}>
            {say('restart')}
          </Button>
          <Button right="operate" onClick={() => void act(() => post(`${path}/disable`))}>
            {say('disable')}
          </Button>
        </>
      ) : (
        <Button right="operate" kind="main" onClick={() => void act(() => post(`${path}/enable`))}>
          {say('enable')}
        </Button>
      )}
      <Button right="admin" kind="danger" onClick={() => setRemoving(true)}>
        {say('remove')}
      </Button>
      {removing && (
        <Ask
          title={say('remove')}
          text={say('removeSure', { name: source.name })}
          action={say('remove')}
          onYes={() => void remove()}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

/** Signing in at a source's server: a link to click, never a window that opens by itself. */
const SourceSignIn = ({ source }: { readonly source: SourceRow }) => {
  const say = useTexts()
  const { data, reload } = useLoad<SignInsAnswer>('/sign-ins', source.state)
  const [link, setLink] = useState<string>()
  const state = data?.signIns.find((each) => each.source === source.name && each.type === 'oauth')?.state
  if (state === undefined || state === 'not-signed-in' || state === 'per-caller') return null
  const path = `/sources/${segment(source.name)}`
  const begin = () => attempt(async () => setLink((await post<SignInLink>(`${path}/sign-in`)).url))
  const end = () => attempt(() => post(`${path}/sign-out`).then(() => Promise.all([refresh(), reload()])), say('done'))
  const isIn = state === 'signed-in'
  return (
    <>
      <Button right="operate" kind={isIn ? 'plain' : 'main'} onClick={() => void begin()}>
        {say(isIn ? 'signInAgain' : 'signIn')}
      </Button>
      {isIn && (
        <Button right="operate" onClick={() => void end()}>
          {say('signOutThere')}
        </Button>
      )}
      {link !== undefined && (
        <Dialog title={say('signIn')} onClose={() => setLink(undefined)}>
          <p>{say('signInThere')}</p>
          {/* The gateway gives out web addresses only; anything else is shown as text and leads nowhere. */}
          <p className="reason">
            {/^https?:\/\//.test(link) ? (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link}
              </a>
            ) : (
              link
            )}
          </p>
        </Dialog>
      )}
    </>
  )
}
