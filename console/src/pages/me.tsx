import { type FormEvent, useState } from 'react'
import type { LoggedCall } from '../../../src/faces/admin/calls.js'
import type {
  MyCalls,
  MyClients,
  MyKeys,
  MySignedOut,
  MySignInLink,
  MySource,
  MySources,
} from '../../../src/faces/admin/me.js'
import type { Me as Reader } from '../../../src/faces/admin/session.js'
import { del, post, put, segment } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { formatDate, formatMs } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Appearance } from '../parts/appearance.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Text } from '../parts/field.js'
import { Card, Empty, Failure, Page } from '../parts/page.js'
import { attempt, tell } from '../parts/toast.js'
import { SessionLine } from './people.js'

const own = {
  me: ['Me', '我'],
  meLead: [
    'What is yours here: where you are signed in, with what, and what was called in your name.',
    '这里属于你的一切：你在哪里登录、用什么登录，以及以你的名义进行的调用。',
  ],
  you: ['You', '你'],
  id: ['Id', '编号'],
  email: ['E-mail', '邮箱'],
  rights: ['Rights', '权限'],
  mySources: ['My sources', '我的来源'],
  noSources: ['No source asks you to sign in for yourself.', '没有需要你本人登录的来源。'],
  nobodyVouches: [
    'Nobody vouches for who you are, so sources cannot be used in your name: sign in at the identity provider, or come with a key whose owner you are.',
    '无法确认你的身份，因此不能以你的名义使用来源：请通过身份提供方登录，或使用归你所有的密钥。',
  ],
  signedIn: ['signed in', '已登录'],
  notSignedIn: ['not signed in', '未登录'],
  byItself: ['nothing to do', '无需操作'],
  signedInSince: ['since {time}', '自 {time}'],
  connectSource: ['Sign in', '登录'],
  pasteKey: ['Paste a key', '粘贴密钥'],
  yourKey: ['Your key', '你的密钥'],
  whereKey: ['Where to find it', '在哪里获取'],
  keyKept: ['It is kept sealed, and used for your own calls alone.', '密钥会加密保存，只用于你自己的调用。'],
  keep: ['Keep it', '保存'],
  outRevoked: ['Signed out, there too.', '已退出，对方也已吊销。'],
  outHere: [
    'Signed out here. The far side offers no way to end it, or did not answer: end it there as well.',
    '已在此退出。对方不支持吊销或没有答复：请在对方处也结束它。',
  ],
  myClients: ['My clients', '我的客户端'],
  where: ['Where', '位置'],
  untilColumn: ['Until', '截止'],
  myKeys: ['My keys', '我的密钥'],
  noKeys: ['You own no key.', '你名下没有密钥。'],
  myCalls: ['My last calls', '我最近的调用'],
  noCallsYet: ['Nothing was called in your name since the gateway started.', '网关启动以来没有以你的名义进行的调用。'],
} as const

/** What belongs to the reader; for everybody who is signed in, whatever else they may do. */
export const MyPage = ({ me, onLeave }: { readonly me: Reader; onLeave(): void }) => {
  const say = useTexts(own)
  return (
    <Page
      title={me.name ?? say('me')}
      lead={say('meLead')}
      actions={<Button onClick={onLeave}>{say('signOut')}</Button>}
    >
      <Mine me={me} onLeave={onLeave} />
      <div className="columns">
        <Card title={say('you')}>
          <dl className="facts-list">
            <dt>{say('id')}</dt>
            <dd className="mono">{me.id}</dd>
            {me.email !== undefined && (
              <>
                <dt>{say('email')}</dt>
                <dd>{me.email}</dd>
              </>
            )}
            <dt>{say('rights')}</dt>
            <dd>
              {me.rights.map((right) => (
                <Badge key={right}>{right}</Badge>
              ))}
            </dd>
          </dl>
        </Card>
        <Appearance />
      </div>
    </Page>
  )
}

const Mine = ({ me, onLeave }: { readonly me: Reader; onLeave(): void }) => {
  const say = useTexts(own)
  const language = useLanguage()
  const sources = useLoad<MySources>('/me/sources')
  const clients = useLoad<MyClients>('/me/clients')
  const keys = useLoad<MyKeys>('/me/keys').data?.keys ?? []
  const calls = useLoad<MyCalls>('/me/calls').data?.calls ?? []
  const isSomebody = me.kind !== 'key' || me.name !== undefined
  const mine = sources.data?.sources ?? []
  const end = (id: string, current: boolean): void => {
    if (current) return onLeave()
    void attempt(() => del(`/me/clients/${segment(id)}`).then(clients.reload), say('done'))
  }
  const error = [sources.error, clients.error].find((each) => each !== undefined)
  if (error) return <Failure error={error} />
  return (
    <div className="mine">
      <Card title={say('mySources')}>
        {mine.length === 0 && <Empty title={say(isSomebody ? 'noSources' : 'nobodyVouches')} />}
        <ul className="plain-list">
          {mine.map((source) => (
            <SourceLine key={source.source} source={source} reload={sources.reload} />
          ))}
        </ul>
      </Card>
      <Card title={say('myClients')}>
        <div className="scroll-x">
          <table className="as-cards">
            <thead>
              <tr>
                {(['name', 'where', 'created', 'lastUsed', 'untilColumn', 'actions'] as const).map((column) => (
                  <th key={column}>{say(column)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {clients.data?.clients.map(({ name, current, ...client }) => (
                <SessionLine
                  key={client.id}
                  session={{
                    ...client,
                    own: current,
                    name: me.name ?? me.id,
                    client: name === undefined ? undefined : { id: name, name },
                  }}
                  onEnd={() => end(client.id, current)}
                />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Card title={say('myKeys')}>
        {keys.length === 0 && <Empty title={say('noKeys')} />}
        <ul className="plain-list">
          {keys.map(({ id, name, hint, createdAt }) => (
            <li key={id} className="row">
              <span className="strong">{name}</span> <span className="mono">{hint}…</span>
              <span className="muted small">{formatDate(createdAt, language)}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={say('myCalls')}>
        {calls.length === 0 && <Empty title={say('noCallsYet')} />}
        <ul className="plain-list">
          {calls.map((call) => (
            <CallOfMine key={call.n} call={call} />
          ))}
        </ul>
      </Card>
    </div>
  )
}

const CallOfMine = ({ call }: { readonly call: LoggedCall }) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <li className="row">
      <span className="muted small">{formatDate(call.at, language)}</span>
      <span className="mono strong">{call.tool}</span>
      <Badge tone={call.ok ? 'good' : 'bad'}>{call.ok ? say('answered') : call.code}</Badge>
      <span className="muted small">{formatMs(call.latencyMs)}</span>
    </li>
  )
}

const states = { 'signed-in': 'signedIn', 'not-signed-in': 'notSignedIn', 'by-itself': 'byItself' } as const
const tones = { 'signed-in': 'ready', 'not-signed-in': 'needs-auth', 'by-itself': 'idle' } as const

/** One source at which everybody is themselves. */
const SourceLine = ({ source, reload }: { readonly source: MySource; reload(): Promise<void> }) => {
  const say = useTexts(own)
  const language = useLanguage()
  const [pasting, setPasting] = useState(false)
  const path = `/me/sources/${segment(source.source)}`
  const begin = (): void =>
    void attempt(async () => {
      const { url } = await post<MySignInLink>(`${path}/sign-in`)
      location.assign(url)
    })
  const out = (): void =>
    void attempt(async () => {
      const { revoked } = await post<MySignedOut>(`${path}/sign-out`)
      await reload()
      tell(say(revoked === 'revoked' || revoked === undefined ? 'outRevoked' : 'outHere'))
    })
  const isIn = source.state === 'signed-in'
  const named = (key: 'connectSource' | 'pasteKey' | 'signOut') => ({
    label: `${say(key)}: ${source.source}`,
    children: say(key),
  })
  return (
    <li className="row my-source">
      <span className="strong">{source.source}</span>
      <span className="muted small mono">{source.server}</span>
      <State state={tones[source.state]}>{say(states[source.state])}</State>
      {source.since !== undefined && (
        <span className="muted small">{say('signedInSince', { time: formatDate(source.since, language) })}</span>
      )}
      {source.scope && <span className="muted small mono">{source.scope}</span>}
      <span className="actions end">
        {source.type === 'oauth' && !isIn && <Button kind="main" onClick={begin} {...named('connectSource')} />}
        {source.type === 'key' && (
          <Button kind={isIn ? 'plain' : 'main'} onClick={() => setPasting(true)} {...named('pasteKey')} />
        )}
        {isIn && source.type !== 'exchange' && <Button onClick={out} {...named('signOut')} />}
      </span>
      {pasting && <PasteKey source={source} path={path} reload={reload} onClose={() => setPasting(false)} />}
    </li>
  )
}

interface PasteKeyProps {
  readonly source: MySource
  readonly path: string
  reload(): Promise<void>
  onClose(): void
}

const PasteKey = ({ source, path, reload, onClose }: PasteKeyProps) => {
  const say = useTexts(own)
  const [key, setKey] = useState('')
  const keep = (event: FormEvent): void => {
    event.preventDefault()
    void attempt(async () => {
      await put(`${path}/key`, { key: key.trim() })
      onClose()
      await reload()
    }, say('done'))
  }
  return (
    <Dialog title={source.source} onClose={onClose}>
      <form onSubmit={keep}>
        <Text
          label={say('yourKey')}
          type="password"
          value={key}
          onChange={setKey}
          hint={say('keyKept')}
          mono
          autoFocus
        />
        {source.help && /^https?:/.test(source.help) && (
          <p>
            <a href={source.help} target="_blank" rel="noreferrer">
              {say('whereKey')}
            </a>
          </p>
        )}
        <footer>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button kind="main" submit disabled={key.trim() === ''}>
            {say('keep')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
