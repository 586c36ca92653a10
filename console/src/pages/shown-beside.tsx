import type { ShownToolAnswer } from '../../../src/faces/admin/overrides.js'
import type { JsonObject } from '../../../src/model/json.js'
import { formatCount } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge } from '../parts/badge.js'
import { propertiesOf } from './override-draft.js'

const own = {
  off: ['Switched off: nobody sees or calls it.', '已关闭：谁都看不到，也不能调用。'],
  misfit: ['Held back: the override does not fit the tool.', '已扣留：覆盖与工具不符。'],
  plain: ['Callers see it as its source says.', '调用方看到的与来源一致。'],
  shownAs: ['Callers see {id}.', '调用方看到的是 {id}。'],
  beforeAfter: ['Tokens: {before} → {after}', '所需 token：{before} → {after}'],
  saved: ['{n} % fewer', '减少 {n} %'],
  upstream: ['Upstream says', '上游的说法'],
  callers: ['Callers see', '调用方看到'],
  part: ['Part', '部分'],
  changed: ['changed', '已改'],
  title: ['Title', '标题'],
  tags: ['Tags', '标签'],
  annotations: ['Annotations', '注解'],
  outputSchema: ['Result', '结果'],
} as const satisfies OwnWords

/** What upstream says beside what callers see, and what either costs to read. */
export const ShownBeside = ({ report }: { readonly report: ShownToolAnswer }) => {
  const say = useTexts(own)
  const { shown, upstream = {}, upstreamTokens = 0, held } = report
  const tokens = shown?.tokens ?? 0
  const fewer = upstreamTokens > 0 ? Math.round((1 - tokens / upstreamTokens) * 100) : 0
  return (
    <section aria-label={say('callers')} className="stack">
      <p role="status" className="facts">
        <span className="strong">
          {say('beforeAfter', { before: formatCount(upstreamTokens), after: formatCount(tokens) })}
        </span>
        {shown && fewer > 0 && <Badge tone="good">{say('saved', { n: fewer })}</Badge>}
        {!held && <Verdict report={report} />}
      </p>
      <div className="scroll-x">
        <table className="as-cards beside">
          <thead>
            <tr>
              <th>{say('part')}</th>
              <th>{say('upstream')}</th>
              <th>{say('callers')}</th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(upstream, report).map(({ key, label, was, is }) => (
              <tr key={key}>
                <td data-label={say('part')}>
                  {label === undefined ? <span className="mono">{key}</span> : say(label)}{' '}
                  {shown && was !== is && <Badge tone="accent">{say('changed')}</Badge>}
                </td>
                <td data-label={say('upstream')}>{was}</td>
                <td data-label={say('callers')}>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const Verdict = ({ report: { id, shown, problems, changes } }: { readonly report: ShownToolAnswer }) => {
  const say = useTexts(own)
  if (!shown)
    return <Badge tone={problems.length > 0 ? 'warn' : 'bad'}>{say(problems.length > 0 ? 'misfit' : 'off')}</Badge>
  if (changes.length === 0) return <span>{say('plain')}</span>
  return <span>{say('shownAs', { id: shown.id === id ? id : shown.id })}</span>
}

interface Row {
  readonly key: string
  readonly label?: 'name' | 'title' | 'description' | 'tags' | 'annotations' | 'outputSchema'
  readonly was: string
  readonly is: string
}

const rowsOf = (upstream: JsonObject, { shown, tags = [] }: ShownToolAnswer): readonly Row[] => {
  const seen = shown?.definition as JsonObject | undefined
  const row = (label: NonNullable<Row['label']>, was: unknown, is: unknown): Row => ({
    key: label,
    label,
    was: told(was),
    is: told(is),
  })
  const [before, after] = [propertiesOf(upstream), seen ? propertiesOf(seen) : {}]
  const rows = [
    ...(['name', 'title', 'description', 'annotations'] as const).map((key) => row(key, upstream[key], seen?.[key])),
    row('tags', tags.join(', '), shown?.tags.join(', ')),
    ...Object.keys(before).map((name) => ({
      key: name,
      was: argument(upstream, name, before),
      is: seen && Object.hasOwn(after, name) ? argument(seen, name, after) : none,
    })),
    row('outputSchema', upstream.outputSchema, seen?.outputSchema),
  ]
  return rows.filter(({ was, is }) => was !== none || is !== none)
}

const none = '—'
const longest = 400

const told = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text === '' ? none : text.length > longest ? `${text.slice(0, longest)}…` : text
}

const argument = (definition: JsonObject, name: string, properties: JsonObject): string => {
  const { required } = definition.inputSchema as JsonObject
  return `${told(properties[name])}${Array.isArray(required) && required.includes(name) ? ' *' : ''}`
}
