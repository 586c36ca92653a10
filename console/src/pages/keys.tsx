import { type FormEvent, useContext, useState } from 'react'
import type { KeyRow, KeysAnswer, MadeKey } from '../../../src/faces/admin/keys.js'
import type { ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import type { Me } from '../../../src/faces/admin/session.js'
import type { SettingsReport } from '../../../src/faces/admin/settings.js'
import { del, post, segment } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { formatAgo, formatCount, formatDate } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge, State } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Ask, Dialog } from '../parts/dialog.js'
import { Choice, Text } from '../parts/field.js'
import { MeContext } from '../parts/may.js'
import { Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

/** Who may come in. */
export const Keys = () => {
  const say = useTexts(keyWords)
  const me = useContext(MeContext)
  const { data, error, reload } = useLoad<KeysAnswer>('/keys')
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<KeyRow>()
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const revoke = async ({ id }: KeyRow): Promise<void> => {
    setRevoking(undefined)
    await attempt(() => del(`/keys/${segment(id)}`).then(reload), say('done'))
  }
  return (
    <Page
      title={say('keys')}
      lead={say('keysLead')}
      actions={
        <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
          {say('newKey')}
        </Button>
      }
    >
      <section className="card scroll-x">
        <table className="as-cards">
          <thead>
            <tr>
              {(['name', 'keyColumn', 'role', 'state', 'usesColumn', 'lastUsed', 'created'] as const).map((column) => (
                <th key={column}>{say(column)}</th>
              ))}
              <th>{say('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {data.keys.map((row) => (
              <KeyLine key={row.id} row={row} onRevoke={() => setRevoking(row)} />
            ))}
          </tbody>
        </table>
      </section>
      {making && (
        <NewKey
          onClose={() => {
            setMaking(false)
            void reload()
          }}
        />
      )}
      {revoking && (
        <Ask
          title={say('revoke')}
          text={[
            ...warningsOf(revoking, data.keys, me).map((key) => say(key)),
            say('revokeSure', { name: revoking.name }),
          ].join(' ')}
          action={say('revoke')}
          onYes={() => void revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Page>
  )
}

/** What somebody should know who is about to shut themselves, or everybody, out (G13). */
const warningsOf = (
  { id, role }: KeyRow,
  keys: readonly KeyRow[],
  me: Me | undefined,
): readonly ('revokeOwn' | 'revokeLast')[] => {
  const others = keys.filter((each) => each.id !== id && each.role === 'admin' && stateOf(each) === 'active')
  return [
    ...(me?.id === `key:${id}` ? (['revokeOwn'] as const) : []),
    ...(role === 'admin' && others.length === 0 ? (['revokeLast'] as const) : []),
  ]
}

const KeyLine = ({ row, onRevoke }: { readonly row: KeyRow; onRevoke(): void }) => {
  const say = useTexts(keyWords)
  const me = useContext(MeContext)
  const language = useLanguage()
  const state = stateOf(row)
  return (
    <tr>
      <td className="strong" data-label={say('name')}>
        {row.name} {row.profile && <Badge>{row.profile}</Badge>}{' '}
        {me?.id === `key:${row.id}` && <Badge tone="accent">{say('yourKey')}</Badge>}
      </td>
      <td className="mono" data-label={say('keyColumn')}>
        {row.hint}…
      </td>
      <td data-label={say('role')}>{row.role}</td>
      <td data-label={say('state')}>
        <State state={state}>{say(state)}</State>
      </td>
      <td data-label={say('usesColumn')}>{formatCount(row.useCount)}</td>
      <td data-label={say('lastUsed')}>{formatAgo(row.lastUsed, say)}</td>
      <td data-label={say('created')}>{formatDate(row.createdAt, language)}</td>
      <td>
        {state === 'active' && (
          <Button kind="danger" onClick={onRevoke} label={`${say('revoke')} ${row.name}`}>
            {say('revoke')}
          </Button>
        )}
      </td>
    </tr>
  )
}

const stateOf = ({ revokedAt, expiresAt }: KeyRow): 'active' | 'revoked' | 'expired' => {
  if (revokedAt !== undefined) return 'revoked'
  return expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'active'
}

const daySeconds = 86_400

/** Makes a key and shows it, once. */
const NewKey = ({ onClose }: { onClose(): void }) => {
  const say = useTexts()
  const profiles = useLoad<ProfilesAnswer>('/profiles').data?.profiles ?? []
  const [name, setName] = useState('')
  const [role, setRole] = useState('caller')
  const [days, setDays] = useState('')
  const [profile, setProfile] = useState('')
  const [key, setKey] = useState<string>()
  const roles = [
    ['reader', say('roleReader')],
    ['caller', say('roleCaller')],
    ['publisher', say('rolePublisher')],
    ['viewer', say('roleViewer')],
    ['operator', say('roleOperator')],
    ['admin', say('roleAdmin')],
  ] as const
  const create = (event: FormEvent): void => {
    event.preventDefault()
    const request = {
      name,
      role,
      ...(days === '' ? {} : { expiresInSeconds: Math.round(Number(days) * daySeconds) }),
      ...(profile === '' ? {} : { profile }),
    }
    void attempt(async () => setKey((await post<MadeKey>('/keys', request)).key))
  }
  if (key !== undefined) return <MadeKeyDialog name={name} value={key} profile={profile} onClose={onClose} />
  return (
    <Dialog title={say('newKey')} onClose={onClose}>
      <form onSubmit={create}>
        <Text label={say('name')} value={name} onChange={setName} required autoFocus />
        <div className="role-choice">
          <Choice
            label={say('role')}
            value={role}
            onChange={setRole}
            options={roles}
            hint={roles.find(([each]) => each === role)?.[1] ?? ''}
          />
        </div>
        <Choice
          label={say('profile')}
          value={profile}
          onChange={setProfile}
          options={[['', say('anyProfile')], ...profiles.map((each) => [each.name, each.name] as const)]}
        />
        <Text label={say('expiresIn')} hint={say('expiresHint')} type="number" value={days} onChange={setDays} />
        <footer>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button kind="main" submit disabled={name.trim() === ''}>
            {say('createKey')}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

interface MadeKeyProps {
  readonly name: string
  readonly value: string
  readonly profile: string
  onClose(): void
}

/** The one time that a key is shown: to be copied, alone or as what a client is given (G13). */
const MadeKeyDialog = ({ name, value, profile, onClose }: MadeKeyProps) => {
  const say = useTexts(keyWords)
  const path = useLoad<SettingsReport>('/settings').data?.config.server.path ?? '/mcp'
  const url = new URL(profile === '' ? path : `${path}/${encodeURIComponent(profile)}`, location.origin).href
  const headers = { Authorization: `Bearer ${value}` }
  const snippet = JSON.stringify({ mcpServers: { pegboard: { type: 'http', url, headers } } }, null, 2)
  return (
    <Dialog title={name} wide onClose={onClose}>
      <p>{say('keyOnce')}</p>
      <div className="shown-copy">
        <Code text={value} label={say('key')} />
      </div>
      <h3>{say('forClient')}</h3>
      <p className="muted small">{say('forClientLead')}</p>
      <div className="shown-copy">
        <Code text={snippet} label="mcpServers" />
      </div>
      <footer>
        <Button kind="main" onClick={onClose}>
          {say('close')}
        </Button>
      </footer>
    </Dialog>
  )
}

const keyWords = {
  yourKey: ['yours', '你的密钥'],
  revokeOwn: [
    'This is the key that you are signed in with: you are signed out at once.',
    '这是你当前登录所用的密钥：吊销后你会立即退出。',
  ],
  revokeLast: [
    'It is the last key for administration. Another can then only be made where the data folder is: pegboard key create NAME --role admin.',
    '这是最后一个管理密钥。之后只能在数据文件夹所在处新建：pegboard key create NAME --role admin。',
  ],
  forClient: ['For a client', '用于客户端'],
  forClientLead: ['What most clients take in their configuration file.', '多数客户端配置文件可直接使用。'],
} as const satisfies OwnWords
