import { type FormEvent, useState } from 'react'
import type { ToolDetail } from '../../../src/faces/admin/tools.js'
import { ApiError } from '../api/client.js'
import { refresh } from '../api/live.js'
import { overrideTool, switchTool } from '../api/tool-switch.js'
import { useTexts } from '../i18n/texts.js'
import { toolWords } from '../i18n/words-tools.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { useMay } from '../parts/may.js'
import { Failure } from '../parts/page.js'
import { Switch } from '../parts/switch.js'
import { attempt, tell } from '../parts/toast.js'
import { hrefOf } from '../router.js'

interface ToolQuickProps {
  readonly tool: ToolDetail
  onSaved(): void
}

/** The name and the words that callers see, changed where they are read; *Shown as* has all the rest. */
export const ToolQuick = ({ tool, onSaved }: ToolQuickProps) => {
  const say = useTexts(toolWords)
  const [editing, setEditing] = useState(false)
  if (tool.held) return null
  if (editing)
    return (
      <QuickForm
        tool={tool}
        onDone={() => {
          setEditing(false)
          onSaved()
        }}
        onClose={() => setEditing(false)}
      />
    )
  return <Button right="admin" kind="quiet" icon={pencil} label={say('quickEdit')} onClick={() => setEditing(true)} />
}

const pencil = 'M3 13l.8-3L11 2.800a1.500 1.500 0 0 1 2.200 2.200L6 12.200zM9.700 4.100l2.200 2.200'

const QuickForm = ({ tool, onDone, onClose }: { readonly tool: ToolDetail; onDone(): void; onClose(): void }) => {
  const say = useTexts(toolWords)
  const [profile, setProfile] = useState('')
  const [name, setName] = useState(() => nameIn(tool))
  const [description, setDescription] = useState(() => changedText(tool))
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await overrideTool(tool.id, profile || undefined, { name, description })
      tell(say('savedShown'))
      await refresh()
      onDone()
    } catch (problem) {
      setError(problem as Error)
      setBusy(false)
    }
  }
  const problemAt = (path: string): string | undefined =>
    error instanceof ApiError ? error.problems.find((each) => each.path === path)?.message : undefined
  return (
    <form className="quick-edit" onSubmit={(event) => void save(event)}>
      <div className="pair">
        <Text
          label={say('nameTowards')}
          value={name}
          hint={say('asSource')}
          placeholder={String(tool.definition.name)}
          problem={problemAt('name')}
          mono
          autoFocus
          onChange={setName}
        />
        <Choice
          label={say('forWhom')}
          value={profile}
          onChange={setProfile}
          options={[['', say('everybody')], ...tool.profiles.map(({ name: each }) => [each, each] as const)]}
        />
      </div>
      <Text
        label={say('description')}
        value={description}
        hint={say('asSource')}
        rows={4}
        placeholder={String(tool.definition.description ?? '')}
        problem={problemAt('description')}
        onChange={setDescription}
      />
      {error && <Failure error={error} />}
      <p className="row">
        <Button kind="main" submit disabled={busy}>
          {say('save')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {say('cancel')}
        </Button>
      </p>
    </form>
  )
}

/** What callers see under another name; empty where it is its own. */
const nameIn = ({ shownAs, namespace }: ToolDetail): string => {
  if (shownAs === undefined) return ''
  return namespace !== '' && shownAs.startsWith(namespace) ? shownAs.slice(namespace.length + 1) : shownAs
}

const changedText = ({ advertised, definition }: ToolDetail): string =>
  advertised && advertised.description !== definition.description ? String(advertised.description ?? '') : ''

/** Which profiles see it, each with its switch. */
export const ToolProfiles = ({ tool, onSaved }: ToolQuickProps) => {
  const say = useTexts(toolWords)
  const may = useMay()
  const seen = tool.profiles.filter(({ sees }) => sees).length
  if (tool.profiles.length === 0) return null
  const flip = async (name: string, on: boolean): Promise<void> => {
    await attempt(() => switchTool(tool.id, name, on), say('done'))
    onSaved()
    await refresh()
  }
  return (
    <details className="tool-profiles">
      <summary>{say('whoSees', { n: seen, all: tool.profiles.length })}</summary>
      <ul className="plain-list">
        {tool.profiles.map(({ name, sees, why }) => (
          <li key={name} className="row">
            <a href={hrefOf('profiles', name)}>{name}</a>
            {why === 'lists' && <span className="muted small">{say('leftOutHere')}</span>}
            {may('admin') && (
              <span className="end">
                <Switch
                  right="admin"
                  label={say('toolOnFor', { id: tool.id, profile: name })}
                  on={sees}
                  disabled={why === 'lists'}
                  onChange={(on) => void flip(name, on)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
