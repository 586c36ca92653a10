import type { Me } from '../../../src/faces/admin/session.js'
import type { SettingsReport } from '../../../src/faces/admin/settings.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { Appearance } from '../parts/appearance.js'
import { Button } from '../parts/button.js'
import { Json } from '../parts/code.js'
import { Card, Failure, Loading, Page } from '../parts/page.js'
import { hrefOf } from '../router.js'
import { SettingFields } from './setting-fields.js'

/** How the console looks, how clients connect, and what is in force. */
export const Settings = ({ me, onLeave }: { readonly me: Me; onLeave(): void }) => {
  const say = useTexts()
  const { data, error, reload } = useLoad<SettingsReport>('/settings')
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('settings')} actions={<Button onClick={onLeave}>{say('signOut')}</Button>}>
      <div className="columns">
        <Appearance />
        <Card title={say('connect')}>
          <p>
            <a href={hrefOf('connect')}>{say('connectLead')}</a>
          </p>
        </Card>
      </div>
      <SettingFields fields={data.fields} onSaved={reload} />
      <Card title={say('inForce')}>
        <dl className="facts-list">
          <dt>{say('version')}</dt>
          <dd>{me.version}</dd>
          <dt>{say('fileIs')}</dt>
          <dd className="mono">{data.file ?? say('noFile')}</dd>
        </dl>
        <Json value={data.config} label={say('inForce')} />
      </Card>
    </Page>
  )
}
