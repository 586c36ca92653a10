import type { ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { connectWords } from '../i18n/words-connect.js'
import { Choice } from '../parts/field.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { go } from '../router.js'
import { ClientSnippets } from './client-snippets.js'

/** How a program that uses tools is told of this gateway. The address of the page names the profile. */
export const Connect = ({ item = 'default' }: { readonly item: string | undefined }) => {
  const say = useTexts(connectWords)
  const { catalog } = useLive()
  const { data, error } = useLoad<ProfilesAnswer>('/profiles', catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const profile = data.profiles.find(({ name }) => name === item) ?? data.profiles[0]
  if (!profile) return <Loading />
  return (
    <Page title={say('connectTitle')} lead={say('connectPageLead')}>
      <Card>
        <Choice
          label={say('profile')}
          value={profile.name}
          onChange={(name) => go('connect', name)}
          hint={[profile.description, say('perList', { n: formatCount(profile.tokens) })].filter(Boolean).join(' · ')}
          options={data.profiles.map(({ name, callable }) => [name, `${name} (${formatCount(callable)})`] as const)}
        />
        <ClientSnippets key={profile.name} profile={profile.name} />
      </Card>
    </Page>
  )
}
