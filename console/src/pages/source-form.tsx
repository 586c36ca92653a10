import { type FormEvent, useState } from 'react'
import type { TestReport } from '../../../src/faces/admin/sources.js'
import type { JsonObject } from '../../../src/model/json.js'
import { post, put, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import type { Key } from '../i18n/words.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { Failure } from '../parts/page.js'
import { Reason } from '../parts/reason.js'
import { type Draft, fieldsOfKind, sourceKinds, toConfig, toDraft } from './source-draft.js'

export interface SourceFormProps {
  /** Of a source that is there already. */
  readonly name?: string
  readonly config?: JsonObject
  onSaved(name: string): void
}

const labels: Readonly<Partial<Record<keyof Draft, readonly [Key, Key?]>>> = {
  command: ['command', 'commandHint'],
  args: ['arguments', 'onePerLine'],
  env: ['environment', 'envHint'],
  url: ['url'],
  headers: ['headers', 'headersHint'],
  spec: ['spec', 'specHint'],
  baseUrl: ['baseUrl'],
  path: ['path'],
  module: ['module'],
  folder: ['folder'],
}
const tall: ReadonlySet<keyof Draft> = new Set(['args', 'env', 'headers'])

/** Adds or edits a source. It shows what will run, and can try it before anything is kept. */
export const SourceForm = ({ name: given, config = {}, onSaved }: SourceFormProps) => {
  const say = useTexts()
  const [name, setName] = useState(given ?? '')
  const [draft, setDraft] = useState(() => toDraft(given === undefined ? { type: 'stdio' } : config))
  const [report, setReport] = useState<TestReport>()
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState<'test' | 'save'>()
  const set = (field: keyof Draft, value: string): void => setDraft({ ...draft, [field]: value })
  const entry = toConfig(draft, config)

  const run = async (what: 'test' | 'save', action: () => Promise<void>): Promise<void> => {
    setBusy(what)
    setError(undefined)
    setReport(undefined)
    await action().catch((problem: Error) => setError(problem))
    setBusy(undefined)
  }
  const test = () =>
    run('test', async () => setReport(await post<TestReport>('/source-test', { name: name || 'test', config: entry })))
  const save = (event: FormEvent) => {
    event.preventDefault()
    return run('save', async () => {
      await put(`/sources/${segment(name)}`, entry)
      await refresh()
      onSaved(name)
    })
  }
  return (
    <form className="source-form" onSubmit={(event) => void save(event)}>
      <div className="pair">
        <Text
          label={say('name')}
          value={name}
          onChange={setName}
          required
          readOnly={given !== undefined}
          autoFocus={given === undefined}
        />
        <Choice
          label={say('kind')}
          value={draft.type}
          options={sourceKinds.map((kind) => [kind, kind] as const)}
          onChange={(type) => set('type', type)}
        />
      </div>
      {(fieldsOfKind[draft.type] ?? []).map((field) => {
        const [label, hint] = labels[field]!
        return (
          <Text
            key={field}
            label={say(label)}
            {...(hint ? { hint: say(hint) } : {})}
            {...(tall.has(field) ? { rows: 3 } : {})}
            mono
            value={draft[field]}
            onChange={(value) => set(field, value)}
          />
        )
      })}
      <Text
        label={say('namespace')}
        value={draft.namespace}
        onChange={(value) => set('namespace', value)}
        placeholder={name}
      />
      <Choice
        label={say('onChange')}
        value={draft.onChange === 'note' ? 'note' : ''}
        options={[
          ['', say('onChangeHold')],
          ['note', say('onChangeNote')],
        ]}
        onChange={(value) => set('onChange', value)}
      />
      <WillDo entry={entry} />
      {report && <Report report={report} />}
      {error && <Failure error={error} />}
      <footer>
        <Button onClick={() => void test()} disabled={busy !== undefined}>
          {say(busy === 'test' ? 'testing' : 'test')}
        </Button>
        <Button kind="main" submit disabled={busy !== undefined || name.trim() === ''}>
          {say('save')}
        </Button>
      </footer>
    </form>
  )
}

/** Exactly what will be started: people approve a command, not a name (T15). */
const WillDo = ({ entry }: { readonly entry: JsonObject }) => {
  const say = useTexts()
  const command =
    entry.command === undefined ? undefined : [entry.command, ...((entry.args as readonly string[]) ?? [])]
  const what = command
    ? JSON.stringify(command)
    : (entry.url ?? entry.spec ?? entry.path ?? entry.module ?? entry.folder)
  if (what === undefined) return null
  return (
    <p className="will">
      <span className="muted">{say(command ? 'willRun' : 'willConnect')}</span> <code>{String(what)}</code>
    </p>
  )
}

const Report = ({ report }: { readonly report: TestReport }) => {
  const say = useTexts()
  if (!report.ok)
    return (
      <div className="notice bad" role="alert">
        <strong>{say('testFailed')}</strong>
        <p>{report.reason && <Reason reason={report.reason} />}</p>
      </div>
    )
  return (
    <div className="notice good" role="status">
      <strong>{say('testOk', { n: report.tools.length, time: formatMs(report.tookMs) })}</strong>
      <p>
        {report.tools
          .slice(0, 12)
          .map(({ name }) => name)
          .join(', ')}
      </p>
    </div>
  )
}
