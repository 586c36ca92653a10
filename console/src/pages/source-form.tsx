import { type FormEvent, useState } from 'react'
import type { SourceKeysAnswer } from '../../../src/faces/admin/source-reading.js'
import type { TestReport } from '../../../src/faces/admin/sources.js'
import type { JsonObject } from '../../../src/model/json.js'
import { post, put, segment } from '../api/client.js'
import { refresh } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { Failure, Loading } from '../parts/page.js'
import { Reason, Trace } from '../parts/reason.js'
import { type SourceKinds, toConfig, toDraft } from './source-draft.js'
import { SourceFields } from './source-fields.js'

export interface SourceFormProps {
  readonly name: string
  /** It is there already, so its name stays. */
  readonly isThere?: boolean | undefined
  readonly config: JsonObject
  onSaved(name: string): void
}

/** Adds or edits a source. It shows what will run, and can try it before anything is kept. */
export const SourceForm = (props: SourceFormProps) => {
  const { data, error } = useLoad<SourceKeysAnswer>('/source-keys')
  if (error && !data) return <Failure error={error} />
  return data ? <FormOf {...props} kinds={data.kinds} /> : <Loading />
}

const FormOf = ({
  name: given,
  isThere = false,
  config,
  kinds,
  onSaved,
}: SourceFormProps & { readonly kinds: SourceKinds }) => {
  const say = useTexts()
  const [name, setName] = useState(given)
  const [draft, setDraft] = useState(() => toDraft(config, kinds))
  const [report, setReport] = useState<TestReport>()
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState<'test' | 'save'>()
  const { config: entry, problems } = toConfig(draft, config, kinds)
  const isWrong = Object.keys(problems).length > 0

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
        <Text label={say('name')} value={name} onChange={setName} required readOnly={isThere} />
        <Choice
          label={say('kind')}
          value={draft.type}
          options={Object.keys(kinds).map((kind) => [kind, kind] as const)}
          onChange={(type) => setDraft({ ...draft, type })}
        />
      </div>
      <SourceFields
        fields={kinds[draft.type] ?? []}
        draft={draft}
        problems={problems}
        onChange={(key, text) => setDraft({ ...draft, texts: { ...draft.texts, [key]: text } })}
      />
      <WillDo entry={entry} />
      {report && <Report report={report} />}
      {error && <Failure error={error} />}
      <footer>
        <Button onClick={() => void test()} disabled={busy !== undefined || isWrong}>
          {say(busy === 'test' ? 'testing' : 'test')}
        </Button>
        <Button kind="main" submit disabled={busy !== undefined || isWrong || name.trim() === ''}>
          {say('save')}
        </Button>
      </footer>
    </form>
  )
}

/** Exactly what will be started: people approve a command, not a name (T15). */
export const WillDo = ({ entry }: { readonly entry: JsonObject }) => {
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
        {report.reason && <Trace reason={report.reason} />}
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
