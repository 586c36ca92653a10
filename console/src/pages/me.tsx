import type { Me as Reader } from '../../../src/faces/admin/session.js'
import { useTexts } from '../i18n/texts.js'
import { Appearance } from '../parts/appearance.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Card, Page } from '../parts/page.js'

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
