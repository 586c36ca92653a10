import { useState } from 'react'
import type { PeopleAnswer, PersonRow, SessionRow } from '../../../src/faces/admin/people.js'
import { del, post, segment } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { formatAgo, formatDate } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Ask } from '../parts/dialog.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

const own = {
  people: ['People', '人员'],
  peopleLead: [
    'Who was here, and where they are signed in. What each may do is decided by auth.grants; sessions and people are ended here.',
    '来访过的人员及其登录情况。权限由 auth.grants 决定；会话和人员的访问在这里结束。',
  ],
  nobody: ['Nobody has signed in by an identity provider yet.', '还没有人通过身份提供方登录。'],
  groups: ['Groups', '用户组'],
  grantedRole: ['Role', '角色'],
  noRole: ['none', '无'],
  lastSeen: ['Last seen', '最近来访'],
  sessionsOf: ['Sessions', '会话'],
  ended: ['ended', '已结束'],
  end: ['End', '结束'],
  endSure: [
    'End all that {name} has here? Sessions and streams are cut at once, keys they own are revoked, their credentials at sources are deleted. They may sign in again unless a grant or the identity provider says no.',
    '结束 {name} 在此拥有的一切？会话和连接立即断开，其名下密钥被吊销，其在各来源的凭据被删除。除非授权或身份提供方拒绝，否则仍可再次登录。',
  ],
  sessions: ['Signed in', '当前登录'],
  noSessions: ['Nobody is signed in.', '没有人登录。'],
  where: ['Where', '位置'],
  console: ['Console', '控制台'],
  thisOne: ['this browser', '本浏览器'],
  untilColumn: ['Until', '截止'],
  endSession: ['End the session', '结束会话'],
  endSessionSure: [
    'End this session of {name}? Whoever uses it signs in again.',
    '结束 {name} 的这个会话？使用者需重新登录。',
  ],
  away: [
    'The identity provider cannot be asked since {time}: changes there do not count yet.',
    '自 {time} 起无法询问身份提供方：那里的变更尚未生效。',
  ],
} as const

/** Who was here, who is signed in, and the end of either. */
export const People = () => {
  const say = useTexts(own)
  const language = useLanguage()
  const { data, error, reload } = useLoad<PeopleAnswer>('/people')
  const [ending, setEnding] = useState<PersonRow>()
  const [closing, setClosing] = useState<SessionRow>()
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const done = (work: Promise<unknown>): void => {
    setEnding(undefined)
    setClosing(undefined)
    void attempt(() => work.then(reload), say('done'))
  }
  return (
    <Page title={say('people')} lead={say('peopleLead')}>
      {data.awaySince !== undefined && (
        <p className="notice bad" role="status">
          {say('away', { time: formatDate(data.awaySince, language) })}
        </p>
      )}
      {data.people.length === 0 ? (
        <Empty title={say('nobody')} />
      ) : (
        <section className="card scroll-x">
          <table className="as-cards">
            <thead>
              <tr>
                {(['name', 'groups', 'grantedRole', 'sessionsOf', 'lastSeen', 'actions'] as const).map((column) => (
                  <th key={column}>{say(column)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.people.map((person) => (
                <PersonLine key={person.id} person={person} onEnd={() => setEnding(person)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Card title={say('sessions')}>
        {data.sessions.length === 0 ? (
          <Empty title={say('noSessions')} />
        ) : (
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
                {data.sessions.map((session) => (
                  <SessionLine key={session.id} session={session} onEnd={() => setClosing(session)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      {ending && (
        <Ask
          title={say('end')}
          text={say('endSure', { name: nameOf(ending) })}
          action={say('end')}
          onYes={() => done(post(`/people/${segment(ending.id)}/end`))}
          onClose={() => setEnding(undefined)}
        />
      )}
      {closing && (
        <Ask
          title={say('endSession')}
          text={say('endSessionSure', { name: closing.name ?? closing.id })}
          action={say('endSession')}
          onYes={() => done(del(`/sessions/${segment(closing.id)}`))}
          onClose={() => setClosing(undefined)}
        />
      )}
    </Page>
  )
}

const nameOf = ({ name, email, subject }: PersonRow): string => name ?? email ?? subject

const PersonLine = ({ person, onEnd }: { readonly person: PersonRow; onEnd(): void }) => {
  const say = useTexts(own)
  const { email, groups, role, sessions, lastSeen, endedAt } = person
  const name = nameOf(person)
  return (
    <tr>
      <td className="strong" data-label={say('name')} title={person.id}>
        {name} {email !== undefined && email !== name && <span className="muted small">{email}</span>}{' '}
        {endedAt !== undefined && endedAt >= lastSeen && <Badge tone="warn">{say('ended')}</Badge>}
      </td>
      <td data-label={say('groups')}>{groups?.join(', ') || '—'}</td>
      <td data-label={say('grantedRole')}>
        <Badge tone={role === undefined ? 'calm' : 'accent'}>{role ?? say('noRole')}</Badge>
      </td>
      <td data-label={say('sessionsOf')}>{sessions}</td>
      <td data-label={say('lastSeen')}>{formatAgo(lastSeen, say)}</td>
      <td>
        <Button kind="danger" onClick={onEnd} label={`${say('end')} ${name}`}>
          {say('end')}
        </Button>
      </td>
    </tr>
  )
}

export const SessionLine = ({ session, onEnd }: { readonly session: SessionRow; onEnd(): void }) => {
  const say = useTexts(own)
  const language = useLanguage()
  const where = session.client?.name ?? say('console')
  const name = session.name ?? session.person ?? session.keyId ?? session.id
  return (
    <tr>
      <td className="strong" data-label={say('name')}>
        {name}
      </td>
      <td data-label={say('where')}>
        {where} {session.own && <Badge tone="accent">{say('thisOne')}</Badge>}{' '}
        {session.resource && <span className="muted small mono">{session.resource}</span>}
      </td>
      <td data-label={say('created')}>{formatDate(session.createdAt, language)}</td>
      <td data-label={say('lastUsed')}>{formatAgo(session.lastUsedAt, say)}</td>
      <td data-label={say('untilColumn')}>{formatDate(session.endsAt, language)}</td>
      <td>
        <Button onClick={onEnd} label={`${say('endSession')}: ${name}, ${where}`}>
          {say('end')}
        </Button>
      </td>
    </tr>
  )
}
