import { type FormEvent, useEffect, useState } from 'react'
import type { ShownToolAnswer } from '../../../src/faces/admin/overrides.js'
import type { JsonObject } from '../../../src/model/json.js'
import { ApiError, del, post, put } from '../api/client.js'
import { refresh } from '../api/live.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Button } from '../parts/button.js'
import { Ask } from '../parts/dialog.js'
import { Failure } from '../parts/page.js'
import { tell } from '../parts/toast.js'
import { OverrideArguments } from './override-arguments.js'
import { argumentNames, fieldAt, type OverrideDraft, toOverride, toOverrideDraft } from './override-draft.js'
import { OverrideFields } from './override-fields.js'
import { ShownBeside } from './shown-beside.js'

const own = {
  reset: ['Reset', '恢复原样'],
  resetSure: [
    'Show {id} as its source says again? What is written here of it leaves the configuration.',
    '让 {id} 恢复为来源的样子？此处对它的设置将从配置中移除。',
  ],
  discard: ['Discard', '放弃修改'],
  saved: ['Saved: callers see it at once.', '已保存：调用方立即看到。'],
  wasReset: ['It is shown as its source says.', '已恢复为来源的样子。'],
  meanwhile: [
    'Somebody else has changed this meanwhile. Saving replaces what they wrote.',
    '其间有人修改过此处。保存会覆盖他们的内容。',
  ],
  wrong: ['Does not fit: {why}', '不符：{why}'],
} as const satisfies OwnWords

interface OverrideFormProps {
  readonly answer: ShownToolAnswer
  /** `/tools/ID/override`, and for whom. */
  readonly path: string
  readonly previewPath: string
  onSaved(): void
}

/** How one tool is shown to everybody or to one profile: what would become of it is seen before it is saved. */
export const OverrideForm = ({ answer, path, previewPath, onSaved }: OverrideFormProps) => {
  const say = useTexts(own)
  const upstream = answer.upstream ?? none
  const [base, setBase] = useState(answer.written)
  const [draft, setDraft] = useState(() => toOverrideDraft(answer.written, upstream))
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const { override, unread } = toOverride(draft, base, upstream)
  const isDirty = !same(override, base) || unread.length > 0
  const begin = (written: JsonObject): void => {
    setBase(written)
    setDraft(toOverrideDraft(written, upstream))
    setError(undefined)
  }
  const isOld = !same(answer.written, base)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what others wrote is taken up when it comes, unless something is typed
  useEffect(() => {
    if (isOld && !isDirty && !busy) begin(answer.written)
  }, [answer.written])
  const preview = usePreview(previewPath, isDirty && unread.length === 0 ? override : undefined)
  const report = isDirty ? (preview ?? answer) : answer
  const change = (next: OverrideDraft): void => {
    setDraft(next)
    setError(undefined)
  }
  const act = async (action: () => Promise<ShownToolAnswer>, done: string): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      begin((await action()).written)
      tell(done)
      onSaved()
      await refresh()
    } catch (problem) {
      setError(problem as Error)
    }
    setBusy(false)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (unread.length === 0) void act(() => put<ShownToolAnswer>(path, override), say('saved'))
  }
  const names = argumentNames(upstream, { arguments: draft.arguments as unknown as JsonObject })
  const problems = error instanceof ApiError && error.problems.length > 0 ? error.problems : report.problems
  const byField = new Map(problems.map((each) => [fieldAt(each.path, names), each.message]))
  const problemAt = (field: string): string | undefined => {
    const why = byField.get(field)
    return why === undefined ? undefined : say('wrong', { why })
  }
  const unplaced = problems.filter((each) => fieldAt(each.path, names) === undefined)
  return (
    <form className="override-form stack" onSubmit={save}>
      {isOld && isDirty && <p className="notice warn">{say('meanwhile')}</p>}
      <ShownBeside report={report} />
      <OverrideFields
        draft={draft}
        upstream={upstream}
        tags={answer.tags ?? []}
        problemAt={problemAt}
        onChange={change}
      >
        <OverrideArguments
          names={names}
          upstream={upstream}
          drafts={draft.arguments}
          unread={unread}
          problemAt={(name, field) => problemAt(`${name}\0${field}`)}
          onChange={(name, argument) => change({ ...draft, arguments: { ...draft.arguments, [name]: argument } })}
        />
      </OverrideFields>
      {unplaced.map((each) => (
        <p key={`${each.path} ${each.message}`} className="notice warn">
          {say('wrong', { why: `${each.path} ${each.message}`.trim() })}
        </p>
      ))}
      {error && <Failure error={error} />}
      <footer className="row">
        <Button kind="main" submit disabled={busy || !isDirty || unread.length > 0}>
          {say('save')}
        </Button>
        {isDirty && (
          <Button kind="quiet" onClick={() => begin(answer.written)}>
            {say('discard')}
          </Button>
        )}
        {Object.keys(base).length > 0 && (
          <Button kind="danger" disabled={busy} onClick={() => setAsking(true)}>
            {say('reset')}
          </Button>
        )}
        <span className="muted small end">
          {formatCount(answer.upstreamTokens ?? 0)} → {formatCount(report.shown?.tokens ?? 0)} {say('tokens')}
        </span>
      </footer>
      {asking && (
        <Ask
          title={say('reset')}
          text={say('resetSure', { id: answer.id })}
          action={say('reset')}
          onClose={() => setAsking(false)}
          onYes={() => {
            setAsking(false)
            void act(() => del<ShownToolAnswer>(path), say('wasReset'))
          }}
        />
      )}
    </form>
  )
}

const none: JsonObject = {}
const pauseMs = 250

const same = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

/** Members of objects have no order. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

/** How the tool would be shown; asked anew when the writer pauses, and the last answer stays until then. */
const usePreview = (path: string, override: JsonObject | undefined): ShownToolAnswer | undefined => {
  const [preview, setPreview] = useState<ShownToolAnswer>()
  const asked = override && JSON.stringify(override)
  useEffect(() => {
    if (asked === undefined) return
    let left = false
    const timer = setTimeout(() => {
      post<ShownToolAnswer>(path, JSON.parse(asked)).then(
        (answer) => left || setPreview(answer),
        () => {},
      )
    }, pauseMs)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [path, asked])
  return preview
}
