import { useEffect, useState } from 'react'
import type { ReadReport, ReadSource } from '../../../src/faces/admin/source-reading.js'
import type { JsonObject } from '../../../src/model/json.js'
import { post, put, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Badge } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Text } from '../parts/field.js'
import { Failure } from '../parts/page.js'
import { attempt } from '../parts/toast.js'
import { hrefOf } from '../router.js'
import { asWritten, type Keeping, PastedNotes } from './pasted-notes.js'
import { SourceForm, WillDo } from './source-form.js'

const readWords = { json: 'readAsJson', toml: 'readAsToml', command: 'readAsCommand', url: 'readAsUrl' } as const

/** A source from whatever its README says, or by hand. What was understood is shown before anything is saved (G9). */
export const AddSource = ({ onSaved }: { onSaved(names: readonly string[]): void }) => {
  const say = useTexts(sourceWords)
  const language = useLanguage()
  const [text, setText] = useState('')
  const { report, kept, error } = useReading(text)
  const [keeping, setKeeping] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<string>()
  const sources = report?.sources ?? []
  const one = sources.length === 1 ? sources[0] : sources.find(({ name }) => name === chosen)
  const keep: Keeping = {
    isKept: (place) => keeping.has(place),
    turn: (place, on) => {
      const next = new Set(keeping)
      if (on) next.add(place)
      else next.delete(place)
      setKeeping(next)
    },
  }
  const entryOf = (source: ReadSource): JsonObject =>
    asWritten(source, kept?.sources.find(({ name }) => name === source.name)?.entry, keep)
  return (
    <>
      {/* A secret is seen while it is pasted, and by nobody who passes by later. */}
      <div className={sources.some(hasSecret) ? 'has-secret' : undefined}>
        <Text
          label={say('paste')}
          hint={say('pasteHint')}
          rows={4}
          mono
          autoFocus
          value={text}
          onChange={(next) => {
            setText(next)
            setChosen(undefined)
          }}
        />
      </div>
      <p className="muted small or-else">
        {say('orElse')} <a href={hrefOf('import')}>{say('fromClients')}</a>,{' '}
        <a href={hrefOf('registry')}>{say('fromRegistry')}</a>
      </p>
      {error && <Failure error={error} />}
      {report && report.form !== 'nothing' && (
        <p className="small read-as" role="status">
          <Badge tone={report.problems.length > 0 ? 'warn' : 'good'}>{say(readWords[report.form])}</Badge>{' '}
          {say('nUnderstood', { n: sources.length })}
        </p>
      )}
      {report?.problems.map((problem) => (
        <p key={problem.en} className="notice warn" role="alert">
          {problem[language]}
        </p>
      ))}
      {one && <PastedNotes source={one} keep={keep} />}
      {sources.length > 1 && one === undefined ? (
        <Several sources={sources} entryOf={entryOf} keep={keep} onEdit={setChosen} onSaved={onSaved} />
      ) : (
        <SourceForm
          // What was pasted anew, or is written otherwise, begins the form anew.
          key={one ? JSON.stringify([one.name, entryOf(one)]) : ''}
          name={one?.name ?? ''}
          config={one ? entryOf(one) : { type: 'stdio' }}
          onSaved={(name) => onSaved([name])}
        />
      )}
    </>
  )
}

/** Asked a moment after the last key: a paste is one change, a command that is typed many. */
const useReading = (text: string) => {
  const [state, setState] = useState<{ report?: ReadReport; kept?: ReadReport; error?: Error }>({})
  useEffect(() => {
    if (text.trim() === '') return setState({})
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const report = await post<ReadReport>('/source-read', { text })
        const kept = report.sources.some(hasSecret)
          ? await post<ReadReport>('/source-read', { text, keep: true })
          : report
        if (isCurrent) setState({ report, kept })
      } catch (error) {
        if (isCurrent) setState({ error: error as Error })
      }
    }, 250)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return state
}

const hasSecret = ({ secrets }: ReadSource): boolean => secrets.some(({ placeholder }) => !placeholder)

interface SeveralProps {
  readonly sources: readonly ReadSource[]
  readonly keep: Keeping
  entryOf(source: ReadSource): JsonObject
  onEdit(name: string): void
  onSaved(names: readonly string[]): void
}

const isFresh = ({ outcome }: ReadSource): boolean => outcome === 'add' || outcome === 'rename'
const outcomeWords = {
  present: 'outcomePresent',
  ours: 'outcomeOurs',
  unusable: 'outcomeUnusable',
  rename: 'outcomeRename',
} as const

/** Several at once: which of them, and each to be looked at. */
const Several = ({ sources, keep, entryOf, onEdit, onSaved }: SeveralProps) => {
  const say = useTexts(sourceWords)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const wanted = sources.filter((source) => isFresh(source) && !left.has(source.name))
  const choose = (name: string, on: boolean): void => {
    const next = new Set(left)
    if (on) next.delete(name)
    else next.add(name)
    setLeft(next)
  }
  const add = async (): Promise<void> => {
    setBusy(true)
    const saved = await attempt(
      async () => {
        for (const source of wanted) await put(`/sources/${segment(source.name)}`, entryOf(source))
        await refresh()
      },
      say('addedN', { n: wanted.length }),
    )
    setBusy(false)
    if (saved) onSaved(wanted.map(({ name }) => name))
  }
  return (
    <>
      <ul className="plain-list">
        {sources.map((source) => (
          <li key={`${source.outcome} ${source.name}`} className="import-line">
            <input
              type="checkbox"
              aria-label={say('takeIt', { name: source.name })}
              checked={isFresh(source) && !left.has(source.name)}
              disabled={!isFresh(source)}
              onChange={({ target }) => choose(source.name, target.checked)}
            />
            <div>
              <span className="row">
                <span className="strong">{source.name}</span>
                {source.outcome !== 'add' && <Badge tone="warn">{say(outcomeWords[source.outcome])}</Badge>}
                {isFresh(source) && (
                  <span className="end">
                    <Button
                      kind="quiet"
                      label={say('editIt', { name: source.name })}
                      onClick={() => onEdit(source.name)}
                    >
                      {say('edit')}
                    </Button>
                  </span>
                )}
              </span>
              <WillDo entry={source.entry} />
              <PastedNotes source={source} keep={keep} />
            </div>
          </li>
        ))}
      </ul>
      <footer>
        <Button kind="main" disabled={wanted.length === 0 || busy} onClick={() => void add()}>
          {say('addN', { n: wanted.length })}
        </Button>
      </footer>
    </>
  )
}
