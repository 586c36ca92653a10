import { type FormEvent, useState } from 'react'
import type { MadeKey } from '../../../src/faces/admin/keys.js'
import type { ProfilesAnswer } from '../../../src/faces/admin/profiles.js'
import { post } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Code } from '../parts/code.js'
import { Dialog } from '../parts/dialog.js'
import { Choice, Text } from '../parts/field.js'
import { attempt } from '../parts/toast.js'

const daySeconds = 86_400

/** Makes a key and shows it, once. */
export const NewKey = ({ onClose }: { onClose(): void }) => {
  const say = useTexts()
  const profiles = useLoad<ProfilesAnswer>('/profiles').data?.profiles ?? []
  const [name, setName] = useState('')
  const [permission, setPermission] = useState('read')
  const [days, setDays] = useState('')
  const [profile, setProfile] = useState('')
  const [key, setKey] = useState<string>()
  const create = (event: FormEvent): void => {
    event.preventDefault()
    const request = {
      name,
      permission,
      ...(days === '' ? {} : { expiresInSeconds: Math.round(Number(days) * daySeconds) }),
      ...(profile === '' ? {} : { profile }),
    }
    void attempt(async () => setKey((await post<MadeKey>('/keys', request)).key))
  }
  if (key !== undefined)
    return (
      <Dialog title={name} onClose={onClose}>
        <p>{say('keyOnce')}</p>
        <Code text={key} label={say('key')} />
        <footer>
          <Button kind="main" onClick={onClose}>
            {say('close')}
          </Button>
        </footer>
      </Dialog>
    )
  return (
    <Dialog title={say('newKey')} onClose={onClose}>
      <form onSubmit={create}>
        <Text label={say('name')} value={name} onChange={setName} required autoFocus />
        <Choice
          label={say('permission')}
          value={permission}
          onChange={setPermission}
          options={[
            ['read', say('permissionRead')],
            ['write', say('permissionWrite')],
            ['admin', say('permissionAdmin')],
          ]}
        />
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
