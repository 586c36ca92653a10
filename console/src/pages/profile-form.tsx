import { type FormEvent, useEffect, useMemo, useState } from 'react'
import type { ProfileDetail } from '../../../src/faces/admin/profiles.js'
import type { JsonObject } from '../../../src/model/json.js'
import { post, put, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { formatCount } from '../i18n/format.js'
import { tellState } from '../i18n/states.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { connectWords } from '../i18n/words-connect.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { Failure } from '../parts/page.js'
import { Cost } from './cost.js'
import { type ProfileDraft, toProfile, toProfileDraft, toRules, withRules } from './profile-draft.js'
import { ProfileTree } from './profile-tree.js'

export interface ProfileFormProps {
  /** Of a profile that is there already. */
  readonly name?: string
  readonly written?: JsonObject
  onSaved(name: string): void
}

/** Makes or edits a profile, and shows what its clients would see before anything is kept. */
export const ProfileForm = ({ name: given, written = {}, onSaved }: ProfileFormProps) => {
  const say = useTexts()
  const [name, setName] = useState(given ?? '')
  const [draft, setDraft] = useState(() => toProfileDraft(written))
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const settings = toProfile(draft, written)
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await put(`/profiles/${segment(name)}`, settings)
      await refresh()
      onSaved(name)
    } catch (problem) {
      setError(problem as Error)
      setBusy(false)
    }
  }
  return (
    <form className="profile-form" onSubmit={(event) => void save(event)}>
      <div className="stack">
        <Text
          label={say('name')}
          hint={say('profileNameHint')}
          value={name}
          onChange={setName}
          required
          readOnly={given !== undefined}
          autoFocus={given === undefined}
        />
        <Fields draft={draft} onChange={setDraft} />
      </div>
      <Preview name={name} settings={settings} quiet={error !== undefined} />
      {error && <Failure error={error} />}
      <footer>
        <Button kind="main" submit disabled={busy || name.trim() === ''}>
          {say('save')}
        </Button>
      </footer>
    </form>
  )
}

const Fields = ({ draft, onChange }: { readonly draft: ProfileDraft; onChange(draft: ProfileDraft): void }) => {
  const say = useTexts(connectWords)
  const rules = useMemo(() => toRules(draft), [draft])
  const language = useLanguage()
  const set = (field: keyof ProfileDraft) => (value: string) => onChange({ ...draft, [field]: value })
  return (
    <>
      <Text label={say('description')} value={draft.description} onChange={set('description')} />
      <div className="pair">
        <Choice
          label={say('exposure')}
          hint={say('exposeHint')}
          value={draft.expose}
          onChange={set('expose')}
          options={['auto', 'flat', 'search', 'hybrid'].map((each) => [each, tellState(each, language)] as const)}
        />
        <Choice
          label={say('tools')}
          value={draft.shows}
          onChange={set('shows')}
          options={[
            ['all', say('allTools')],
            ['some', say('onlyThese')],
          ]}
        />
      </div>
      <ProfileTree rules={rules} onChange={(next) => onChange(withRules(draft, next))} />
      <details className="patterns">
        <summary>{say('asPatterns')}</summary>
        {draft.shows === 'some' && (
          <Text label={say('allow')} hint={say('globHint')} rows={3} mono value={draft.allow} onChange={set('allow')} />
        )}
        <Text label={say('deny')} hint={say('denyHint')} rows={2} mono value={draft.deny} onChange={set('deny')} />
      </details>
      {draft.expose === 'hybrid' && (
        <Text label={say('pin')} hint={say('pinHint')} rows={2} mono value={draft.pin} onChange={set('pin')} />
      )}
      <div className="pair">
        <Choice
          label={say('namespacing')}
          value={draft.namespacing}
          onChange={set('namespacing')}
          options={[
            ['', say('asGateway')],
            ['yes', say('yes')],
            ['no', say('no')],
          ]}
        />
        <Choice
          label={say('nameStyle')}
          value={draft.names}
          onChange={set('names')}
          options={[
            ['', say('asGateway')],
            ['safe', 'safe: calc__add'],
            ['exact', 'exact: calc.add'],
          ]}
        />
      </div>
      <Choice
        label={say('keepsValues')}
        hint={say('keepsValuesHint')}
        value={draft.keeps}
        onChange={set('keeps')}
        options={[
          ['no', say('no')],
          ['yes', say('yes')],
          ...(draft.keeps === 'own' ? [['own', say('keepsOwn')] as const] : []),
        ]}
      />
    </>
  )
}

const pauseMs = 250
const shownAtMost = 12

interface PreviewProps {
  readonly name: string
  readonly settings: JsonObject
  /** What is wrong is said elsewhere already. */
  readonly quiet: boolean
}

/** Asked anew when the writer pauses; the last good one stays while a word is half typed. */
const Preview = ({ name, settings, quiet }: PreviewProps) => {
  const say = useTexts()
  const [preview, setPreview] = useState<ProfileDetail>()
  const [error, setError] = useState<Error>()
  const asked = JSON.stringify({ name: name.trim() || 'preview', settings })
  useEffect(() => {
    let left = false
    const timer = setTimeout(() => {
      post<ProfileDetail>('/profile-preview', JSON.parse(asked)).then(
        (answer) => {
          if (left) return
          setPreview(answer)
          setError(undefined)
        },
        (problem: Error) => left || setError(problem),
      )
    }, pauseMs)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [asked])
  return (
    <section className="preview stack" aria-label={say('preview')}>
      <h3>{say('preview')}</h3>
      {error && !quiet && <Failure error={error} />}
      {!error && preview && <Cost profile={preview} />}
      {!error && preview && (
        <ul className="preview-list mono">
          {preview.shown.slice(0, shownAtMost).map(({ tool }) => (
            <li key={String(tool.name)} className="clip">
              {String(tool.name)}
            </li>
          ))}
          {preview.shown.length > shownAtMost && (
            <li className="muted">{say('andMore', { n: formatCount(preview.shown.length - shownAtMost) })}</li>
          )}
        </ul>
      )}
    </section>
  )
}
