import { lazy, Suspense, useState } from 'react'
import type { ProfileDetail, ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import { del, segment } from '../api/client.js'
import { refresh, useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { connectWords } from '../i18n/words-connect.js'
import { Exposure } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Json } from '../parts/code.js'
import { Ask, Dialog } from '../parts/dialog.js'
import { Icon } from '../parts/icon.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { attempt } from '../parts/toast.js'
import { go, hrefOf } from '../router.js'
import { Cost } from './cost.js'
import { ProfileForm } from './profile-form.js'

const ClientSnippets = lazy(async () => ({ default: (await import('./client-snippets.js')).ClientSnippets }))

/** What each kind of client sees, and what that costs it. */
export const Profiles = ({ item }: { readonly item: string | undefined }) =>
  item === undefined ? <ProfileList /> : <ProfilePage key={item} name={item} />

const ProfileList = () => {
  const say = useTexts()
  const { catalog } = useLive()
  const { data, error } = useLoad<ProfilesAnswer>('/profiles', catalog)
  const [making, setMaking] = useState(false)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page
      title={say('profiles')}
      lead={say('profilesLead')}
      actions={
        <Button right="admin" kind="main" icon="plus" onClick={() => setMaking(true)}>
          {say('newProfile')}
        </Button>
      }
    >
      <ul className="source-cards">
        {data.profiles.map((profile) => (
          <li key={profile.name}>
            <a className="card source-card" href={hrefOf('profiles', profile.name)}>
              <span className="row">
                <span className="strong">{profile.name}</span>
                <Exposure exposure={profile.exposure} />
              </span>
              {profile.description && <span>{profile.description}</span>}
              <Cost profile={profile} />
            </a>
          </li>
        ))}
      </ul>
      {making && (
        <Dialog title={say('newProfile')} wide onClose={() => setMaking(false)}>
          <ProfileForm
            onSaved={(name) => {
              setMaking(false)
              go('profiles', name)
            }}
          />
        </Dialog>
      )}
    </Page>
  )
}

const ProfilePage = ({ name }: { readonly name: string }) => {
  const say = useTexts(connectWords)
  const { catalog } = useLive()
  const { data, error, reload } = useLoad<ProfileDetail>(`/profiles/${segment(name)}`, catalog)
  const [editing, setEditing] = useState(false)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <>
      <a className="back always" href={hrefOf('profiles')}>
        <Icon name="back" /> {say('profiles')}
      </a>
      <Page
        title={name}
        {...(data.description ? { lead: data.description } : {})}
        actions={<Actions name={name} onEdit={() => setEditing(true)} />}
      >
        <Card>
          <div className="stack">
            <Cost profile={data} />
          </div>
        </Card>
        <Card title={say('connectThis')}>
          <Suspense fallback={<Loading />}>
            <ClientSnippets profile={name} />
          </Suspense>
        </Card>
        <div className="columns">
          <Card title={say('thisClientSees')}>
            <Shown profile={data} />
          </Card>
          <Card title={say('configuration')}>
            <Json value={data.settings} label={say('configuration')} />
          </Card>
        </div>
        {editing && (
          <Dialog title={say('editProfile', { name })} wide onClose={() => setEditing(false)}>
            <ProfileForm
              name={name}
              written={data.written ?? {}}
              onSaved={() => {
                setEditing(false)
                void reload()
              }}
            />
          </Dialog>
        )}
      </Page>
    </>
  )
}

const Actions = ({ name, onEdit }: { readonly name: string; onEdit(): void }) => {
  const say = useTexts()
  const [removing, setRemoving] = useState(false)
  const remove = async (): Promise<void> => {
    setRemoving(false)
    if (!(await attempt(() => del(`/profiles/${segment(name)}`), say('done')))) return
    // Away first: this page would ask for what is no longer there.
    go('profiles')
    await refresh().catch(() => {})
  }
  return (
    <>
      <Button right="admin" onClick={onEdit}>
        {say('edit')}
      </Button>
      {name !== 'default' && (
        <Button right="admin" kind="danger" onClick={() => setRemoving(true)}>
          {say('remove')}
        </Button>
      )}
      {removing && (
        <Ask
          title={say('remove')}
          text={say('removeProfileSure', { name })}
          action={say('remove')}
          onYes={() => void remove()}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

const Shown = ({ profile }: { readonly profile: ProfileDetail }) => {
  const say = useTexts()
  if (profile.shown.length === 0) return <Empty title={say('seesNothing')} />
  return (
    <div className="rows-box" style={{ height: Math.min(480, profile.shown.length * 56 + 2) }}>
      <Rows
        rows={profile.shown}
        rowHeight={56}
        label={say('thisClientSees')}
        keyOf={({ tool }) => String(tool.name)}
        render={({ tool, tokens }) => (
          <div className="tool-line">
            <span className="strong mono clip">{String(tool.name)}</span>
            <span className="muted small end">
              {tokens} {say('tokens')}
            </span>
            <span className="muted clip summary">{String(tool.description ?? '—')}</span>
          </div>
        )}
      />
    </div>
  )
}
