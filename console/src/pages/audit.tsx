import { type FormEvent, useState } from 'react'
import type { AuditListing, AuditRow } from '../../../src/faces/admin/audit.js'
import { base, get } from '../api/client.js'
import { useLoad } from '../api/use-load.js'
import { formatMoment, formatMs } from '../i18n/format.js'
import { type Say, useLanguage, useTexts } from '../i18n/texts.js'
import { deedWords, kindWords, wayWords } from '../i18n/words-audit.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Json } from '../parts/code.js'
import { Dialog } from '../parts/dialog.js'
import { Choice, Text } from '../parts/field.js'
import { Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

const own = {
  audit: ['Audit', '审计'],
  auditLead: [
    'Who did what, newest first: calls and everything else. Arguments and results are not kept.',
    '谁做了什么，最新的在前：包括调用和其他一切操作。不保存参数和结果。',
  ],
  person: ['Who', '谁'],
  personHint: ['name, address or id', '姓名、邮箱或编号'],
  did: ['Did', '操作'],
  on: ['On', '对象'],
  since: ['From', '起始时间'],
  until: ['Until', '截止时间'],
  apply: ['Filter', '筛选'],
  reset: ['Reset', '重置'],
  more: ['Older lines', '更早的记录'],
  end: ['These are all there are.', '没有更早的记录。'],
  none: ['Nothing fits.', '没有符合的记录。'],
  notKept: [
    'No audit file is kept: set telemetry.audit in the configuration.',
    '没有保存审计文件：请在配置中设置 telemetry.audit。',
  ],
  exportAs: ['Export {format}', '导出 {format}'],
  line: ['A line of the audit', '一条审计记录'],
  high: ['high', '高'],
  ok: ['ok', '成功'],
  refused: ['refused', '被拒绝'],
  failed: ['failed', '失败'],
  away: ['Not answered: {names}', '未答复：{names}'],
} as const

/** A word of the file as its reader says it; what is not known here is a name, and stays. */
const useWord = (known: Readonly<Record<string, string>>): ((word: string) => string) => {
  const language = useLanguage()
  return (word) => (language === 'zh' ? (known[word] ?? word) : word)
}

type Words = Say<keyof typeof own & string>

const tones: Readonly<Record<string, Tone>> = { ok: 'good', refused: 'warn', failed: 'bad' }

const noFilter = { person: '', tool: '', kind: '', outcome: '', since: '', until: '' }
type Filter = typeof noFilter

const queryOf = (filter: Filter, more: Readonly<Record<string, string>> = {}): string => {
  const { since, until, ...words } = filter
  const times = { since: timeOf(since), until: timeOf(until) }
  const said = Object.entries({ ...words, ...times, ...more }).filter(([, value]) => value !== '')
  return new URLSearchParams(said).toString()
}

/** What the browser's field says is local time. */
const timeOf = (text: string): string => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

/** What everybody did, to look through and to take away. */
export const Audit = () => {
  const say: Words = useTexts(own)
  const [filter, setFilter] = useState(noFilter)
  const [asked, setAsked] = useState(noFilter)
  const [older, setOlder] = useState<readonly AuditListing[]>([])
  const [chosen, setChosen] = useState<AuditRow>()
  const query = queryOf(asked)
  const { data, error } = useLoad<AuditListing>(`/audit?${query}`)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  const pages = [data, ...older]
  const next = pages.at(-1)!.next
  const rows = pages.flatMap(({ entries }) => entries)
  const ask = (wanted: Filter): void => {
    setOlder([])
    setAsked({ ...wanted })
  }
  const more = (cursor: string): void =>
    void attempt(async () => {
      const page = await get<AuditListing>(`/audit?${queryOf(asked, { cursor })}`)
      setOlder([...older, page])
    })
  return (
    <Page
      title={say('audit')}
      lead={say(data.kept ? 'auditLead' : 'notKept')}
      actions={['jsonl', 'csv'].map((format) => (
        <a key={format} className="button" download href={`${base}/audit/export?${queryOf(asked, { format })}`}>
          {say('exportAs', { format: format.toUpperCase() })}
        </a>
      ))}
    >
      <Filters
        filter={filter}
        kinds={data.kinds}
        onChange={setFilter}
        onAsk={() => ask(filter)}
        onReset={() => {
          setFilter(noFilter)
          ask(noFilter)
        }}
      />
      {data.covers && data.covers.away.length > 0 && (
        <p className="notice bad">{say('away', { names: data.covers.away.join(', ') })}</p>
      )}
      {rows.length === 0 ? (
        <Empty title={say('none')} />
      ) : (
        <section className="card scroll-x">
          <table className="as-cards">
            <thead>
              <tr>
                {(['time', 'person', 'kind', 'did', 'on', 'outcome'] as const).map((column) => (
                  <th key={column}>{say(column)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of the time before the chain have no number
                <Line key={index} row={row} onChoose={() => setChosen(row)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <p className="row audit-end">
        {next === undefined ? (
          <span className="muted small">{say('end')}</span>
        ) : (
          <Button onClick={() => more(next)}>{say('more')}</Button>
        )}
      </p>
      {chosen && (
        <Dialog title={say('line')} onClose={() => setChosen(undefined)} wide>
          <Json value={chosen} label={say('line')} />
        </Dialog>
      )}
    </Page>
  )
}

interface FiltersProps {
  readonly filter: Filter
  readonly kinds: readonly string[]
  onChange(filter: Filter): void
  onAsk(): void
  onReset(): void
}

const Filters = ({ filter, kinds, onChange, onAsk, onReset }: FiltersProps) => {
  const say: Words = useTexts(own)
  const tellKind = useWord(kindWords)
  const field = (name: keyof Filter) => ({
    value: filter[name],
    onChange: (value: string) => onChange({ ...filter, [name]: value }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onAsk()
  }
  return (
    <form className="card audit-filters" onSubmit={submit}>
      <Text label={say('person')} placeholder={say('personHint')} {...field('person')} />
      <Text label={say('tool')} {...field('tool')} />
      <Choice
        label={say('kind')}
        options={[['', say('all')], ...kinds.map((kind) => [kind, tellKind(kind)] as const)]}
        {...field('kind')}
      />
      <Choice
        label={say('outcome')}
        options={[
          ['', say('all')],
          ...(['ok', 'refused', 'failed'] as const).map((each) => [each, say(each)] as const),
        ]}
        {...field('outcome')}
      />
      <Text label={say('since')} type="datetime-local" {...field('since')} />
      <Text label={say('until')} type="datetime-local" {...field('until')} />
      <div className="actions">
        <Button onClick={onReset}>{say('reset')}</Button>
        <Button kind="main" submit>
          {say('apply')}
        </Button>
      </div>
    </form>
  )
}

const Line = ({ row, onChoose }: { readonly row: AuditRow; onChoose(): void }) => {
  const say: Words = useTexts(own)
  const language = useLanguage()
  const [tellKind, tellDeed, tellWay] = [useWord(kindWords), useWord(deedWords), useWord(wayWords)]
  const { actor, on, source, kind, action, outcome, code, severity, ms, count } = row
  return (
    <tr>
      <td data-label={say('time')}>
        <button type="button" className="link" onClick={onChoose}>
          {formatMoment(Date.parse(row.at), language)}
        </button>
      </td>
      <td data-label={say('person')} title={actor.id}>
        {actor.name ?? <span className="mono">{actor.id}</span>} {actor.via && <Badge>{tellWay(actor.via)}</Badge>}
      </td>
      <td data-label={say('kind')}>
        {tellKind(kind)} {severity && <Badge tone="bad">{say('high')}</Badge>}
      </td>
      <td data-label={say('did')}>
        {tellDeed(action)} {count !== undefined && count > 1 && <span className="muted">× {count}</span>}
      </td>
      <td className="mono" data-label={say('on')}>
        {on?.id ?? source ?? '—'}
      </td>
      <td data-label={say('outcome')}>
        <Badge tone={tones[outcome] ?? 'calm'}>{code ?? say(outcome)}</Badge>{' '}
        {ms !== undefined && <span className="muted small">{formatMs(ms)}</span>}
      </td>
    </tr>
  )
}
