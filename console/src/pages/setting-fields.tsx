import { type FormEvent, useState } from 'react'
import type { SettingField, SettingsReport } from '../../../src/faces/admin/settings.js'
import { put } from '../api/client.js'
import { formatCount } from '../i18n/format.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Card, Failure } from '../parts/page.js'
import { tell } from '../parts/toast.js'
import { changesIn, toText } from './setting-draft.js'

export interface SettingFieldsProps {
  readonly fields: readonly SettingField[]
  onSaved(): Promise<void>
}

/** The settings that can be changed here: those that count at once, and those that wait for a restart. */
export const SettingFields = ({ fields, onSaved }: SettingFieldsProps) => {
  const say = useTexts()
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const changes = changesIn(fields, texts)
  const count = Object.keys(changes).length
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const { fields: next } = await put<SettingsReport>('/settings', { changes })
      setTexts({})
      await onSaved()
      tell(say(next.some(({ waits }) => waits) ? 'savedWaits' : 'savedAtOnce'))
    } catch (problem) {
      setError(problem as Error)
    }
    setBusy(false)
  }
  const shared = { texts, onChange: (path: string, value: string) => setTexts({ ...texts, [path]: value }) }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Card title={say('settingsHere')}>
        <Group title={say('countAtOnce')} fields={fields.filter(({ live }) => live)} {...shared} />
        <Group title={say('afterRestart')} fields={fields.filter(({ live }) => !live)} {...shared} />
        {error && <Failure error={error} />}
        <footer className="row">
          <span className="muted small end">{count > 0 && say('nChanged', { n: formatCount(count) })}</span>
          <Button disabled={count === 0 || busy} onClick={() => setTexts({})}>
            {say('discard')}
          </Button>
          <Button kind="main" submit disabled={count === 0 || busy}>
            {say('save')}
          </Button>
        </footer>
      </Card>
    </form>
  )
}

interface GroupProps {
  readonly title: string
  readonly fields: readonly SettingField[]
  readonly texts: Readonly<Record<string, string>>
  onChange(path: string, value: string): void
}

const Group = ({ title, fields, texts, onChange }: GroupProps) => (
  <fieldset className="settings-group">
    <legend>{title}</legend>
    {fields.map((field) => (
      <Setting
        key={field.path}
        field={field}
        text={texts[field.path] ?? toText(field)}
        onChange={(value) => onChange(field.path, value)}
      />
    ))}
  </fieldset>
)

interface SettingProps {
  readonly field: SettingField
  readonly text: string
  onChange(value: string): void
}

const Setting = ({ field, text, onChange }: SettingProps) => {
  const say = useTexts()
  const language = useLanguage()
  return (
    <div className="setting">
      <Field label={field.label[language]} hint={field.help?.[language]}>
        {(id) => <Control id={id} field={field} text={text} onChange={onChange} />}
      </Field>
      <p className="setting-facts">
        <code>{field.path}</code>
        {text !== toText(field) && <Badge tone="accent">{say('changed')}</Badge>}
        {field.waits && <Badge tone="warn">{say('waitsForRestart')}</Badge>}
        {field.fixedBy && <Badge>{say('fixedBy', { name: field.fixedBy })}</Badge>}
      </p>
    </div>
  )
}

const Control = ({ id, field, text, onChange }: SettingProps & { readonly id: string }) => {
  const say = useTexts()
  const disabled = field.fixedBy !== undefined
  const shared = {
    id,
    value: text,
    disabled,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (field.kind === 'choice' || field.kind === 'switch') {
    const options = field.kind === 'choice' ? (field.choices ?? []) : ['true', 'false']
    return (
      <select {...shared}>
        {options.map((each) => (
          <option key={each} value={each}>
            {field.kind === 'choice' ? each : say(each === 'true' ? 'yes' : 'no')}
          </option>
        ))}
      </select>
    )
  }
  if (field.kind === 'list') return <textarea rows={2} className="mono" spellCheck={false} {...shared} />
  const type = field.kind === 'number' ? 'number' : 'text'
  return <input type={type} placeholder={say('defaultValue')} autoComplete="off" spellCheck={false} {...shared} />
}
