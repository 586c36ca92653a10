import { segment } from '../api/client.js'
import { useLive } from '../api/live.js'
import type { ProfileCost, ProfileDetail } from '../api/types.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Json } from '../parts/code.js'
import { Icon } from '../parts/icon.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { Rows } from '../parts/rows.js'
import { hrefOf } from '../router.js'

/** What each kind of client sees, and what that costs it. */
export const Profiles = ({ item }: { readonly item: string | undefined }) =>
  item === undefined ? <ProfileList /> : <ProfilePage key={item} name={item} />

const ProfileList = () => {
  const say = useTexts()
  const { catalog } = useLive()
  const { data, error } = useLoad<{ profiles: readonly ProfileCost[] }>('/profiles', catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('profiles')} lead={say('profilesLead')}>
      <ul className="source-cards">
        {data.profiles.map((profile) => (
          <li key={profile.name}>
            <a className="card source-card" href={hrefOf('profiles', profile.name)}>
              <span className="row">
                <span className="strong">{profile.name}</span>
                <Badge tone="accent">{profile.exposure}</Badge>
              </span>
              {profile.description && <span>{profile.description}</span>}
              <Cost profile={profile} />
            </a>
          </li>
        ))}
      </ul>
    </Page>
  )
}

const Cost = ({ profile }: { readonly profile: ProfileCost }) => {
  const say = useTexts()
  const share = profile.flatTokens === 0 ? 100 : Math.round((profile.tokens / profile.flatTokens) * 100)
  return (
    <>
      <span className="row">
        <span className="big">{formatCount(profile.tokens)}</span>
        <span className="muted">{say('tokens')}</span>
        <span className="muted end">{say('ofFlat', { n: share })}</span>
      </span>
      <meter className="cost" min={0} max={100} value={Math.min(100, share)} aria-label={say('ofFlat', { n: share })} />
      <span className="muted small">
        {formatCount(profile.listed)} {say('listed')}, {formatCount(profile.callable)} {say('callable')}
      </span>
    </>
  )
}

const ProfilePage = ({ name }: { readonly name: string }) => {
  const say = useTexts()
  const { catalog } = useLive()
  const { data, error } = useLoad<ProfileDetail>(`/profiles/${segment(name)}`, catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <>
      <a className="back always" href={hrefOf('profiles')}>
        <Icon name="back" /> {say('profiles')}
      </a>
      <Page title={name}>
        <Card>
          <div className="stack">
            <Cost profile={data} />
          </div>
        </Card>
        <div className="columns">
          <Card title={say('thisClientSees')}>
            <div className="rows-box" style={{ height: Math.min(480, data.shown.length * 56 + 2) }}>
              <Rows
                rows={data.shown}
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
          </Card>
          <Card title={say('configuration')}>
            <Json value={data.settings} label={say('configuration')} />
          </Card>
        </div>
      </Page>
    </>
  )
}
