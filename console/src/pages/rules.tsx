import { type FormEvent, useState } from 'react'
import type { ExplainAnswer, ExplainedRow, RuleRow, RulesAnswer } from '../../../src/faces/admin/rules.js'
import { ruleNoteWords, verdictWords } from '../../../src/faces/rule-words.js'
import { post } from '../api/client.js'
import { useLive } from '../api/live.js'
import { useLoad } from '../api/use-load.js'
import { usePair, useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge, type Tone } from '../parts/badge.js'
import { Button } from '../parts/button.js'
import { Json } from '../parts/code.js'
import { Text } from '../parts/field.js'
import { Card, Empty, Failure, Loading, Page } from '../parts/page.js'
import { attempt } from '../parts/toast.js'

const own = {
  rules: ['Rules', '规则'],
  rulesLead: [
    'Which calls are denied or asked about, by what they send. They are written in the configuration file; deny wins over ask.',
    '按参数决定哪些调用被拒绝或需先批准。规则写在配置文件中；拒绝优先于询问。',
  ],
  noRules: ['There are no rules. See docs/rules.md for how to write one.', '没有规则。写法见 docs/rules.md。'],
  tryCall: ['What would become of a call?', '某次调用会怎样？'],
  toolId: ['Tool', '工具'],
  argsJson: ['Arguments as JSON', '参数（JSON）'],
  callerName: ['Caller', '调用方'],
  callerHint: ['The name of a key, or an id; empty: anybody', '密钥名称或 id；留空表示任何人'],
  profileName: ['Profile', '配置档'],
  explain: ['Explain', '说明'],
  deny: ['denies', '拒绝'],
  ask: ['asks', '询问'],
  hides: ['hides', '隐藏'],
  concerns: ['{n} tools', '{n} 个工具'],
  condition: ['Rule', '规则内容'],
  refusedBefore: ['The arguments are refused before any rule: {why}', '参数在规则之前就会被拒绝：{why}'],
  tools: ['is about other tools', '针对其他工具'],
  class: ['is about tools that do something else', '针对其他类别的工具'],
  callers: ['is about other callers', '针对其他调用方'],
  when: ['its “when” does not match', '“when”不符合'],
  unless: ['its “unless” matches: an exception', '符合“unless”：属于例外'],
  all: ['matches', '生效'],
  unclear: ['matches, since it cannot be judged', '无法判断，从严视为生效'],
  noJson: ['The arguments are no JSON.', '参数不是 JSON。'],
} as const satisfies OwnWords

/** The rules over what calls send, and what they would say of one. */
export const Rules = () => {
  const say = useTexts(own)
  const { catalog } = useLive()
  const { data, error } = useLoad<RulesAnswer>('/rules', catalog)
  if (error && !data) return <Failure error={error} />
  if (!data) return <Loading />
  return (
    <Page title={say('rules')} lead={say('rulesLead')}>
      <Explain />
      {data.rules.length === 0 && <Empty title={say('noRules')} />}
      <ul className="plain stack" aria-label={say('rules')}>
        {data.rules.map((rule) => (
          <li key={`${rule.profile ?? ''} ${rule.id}`}>
            <Rule rule={rule} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

const effectTones: Readonly<Record<RuleRow['effect'], Tone>> = { deny: 'bad', ask: 'warn' }

const Rule = ({ rule }: { readonly rule: RuleRow }) => {
  const say = useTexts(own)
  const read = usePair()
  const { matching, hides, notes, ...written } = rule
  return (
    <Card>
      <p className="row">
        <span className="strong mono">{rule.id}</span>
        <Badge tone={effectTones[rule.effect]}>{say(rule.effect)}</Badge>
        {hides && <Badge tone="calm">{say('hides')}</Badge>}
        {rule.profile !== undefined && <Badge tone="accent">{rule.profile}</Badge>}
        <span className="muted small end">{say('concerns', { n: matching })}</span>
      </p>
      {rule.reason !== undefined && <p>{rule.reason}</p>}
      {notes.map((note) => (
        <p key={`${note.part} ${note.about}`} className="notice">
          {read(ruleNoteWords(note))}
        </p>
      ))}
      <Json value={written} label={`${say('condition')} ${rule.id}`} />
    </Card>
  )
}

const Explain = () => {
  const say = useTexts(own)
  const [tool, setTool] = useState('')
  const [args, setArgs] = useState('{}')
  const [caller, setCaller] = useState('')
  const [profile, setProfile] = useState('')
  const [answer, setAnswer] = useState<ExplainAnswer>()
  const explain = (event: FormEvent): void => {
    event.preventDefault()
    void attempt(async () => {
      const asked = {
        tool,
        args: parsed(args, say('noJson')),
        caller: caller || undefined,
        profile: profile || undefined,
      }
      setAnswer(await post<ExplainAnswer>('/rules/explain', asked))
    })
  }
  return (
    <Card title={say('tryCall')}>
      <form className="stack" onSubmit={explain}>
        <Text label={say('toolId')} value={tool} onChange={setTool} required mono />
        <Text label={say('argsJson')} value={args} onChange={setArgs} rows={4} mono />
        <Text label={say('callerName')} hint={say('callerHint')} value={caller} onChange={setCaller} />
        <Text label={say('profileName')} value={profile} onChange={setProfile} placeholder="default" />
        <Button kind="main" submit>
          {say('explain')}
        </Button>
      </form>
      {answer && <Explained answer={answer} />}
    </Card>
  )
}

const parsed = (text: string, why: string): unknown => {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new Error(why)
  }
}

const verdictTones: Readonly<Record<ExplainAnswer['verdict'], Tone>> = {
  allow: 'good',
  ask: 'warn',
  deny: 'bad',
  hidden: 'bad',
}

const Explained = ({ answer }: { readonly answer: ExplainAnswer }) => {
  const say = useTexts(own)
  const read = usePair()
  return (
    <section className="answer" aria-label={say('result')} aria-live="polite">
      <p className="row">
        <Badge tone={verdictTones[answer.verdict]}>{read(verdictWords[answer.verdict])}</Badge>
        <span className="mono">{answer.by.join(', ')}</span>
        <span className="muted small end">{answer.classes.join(', ')}</span>
      </p>
      {answer.reason !== undefined && <p>{answer.reason}</p>}
      {answer.invalid !== undefined && <p className="notice">{say('refusedBefore', { why: answer.invalid })}</p>}
      <ul className="plain">
        {answer.rules.map((row) => (
          <li key={`${row.profile ?? ''} ${row.id}`}>
            <span className={row.matches ? 'strong mono' : 'mono'}>{row.id}</span>: {say(row.because)}
            <Why row={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Why = ({ row: { problems } }: { readonly row: ExplainedRow }) =>
  problems.length > 0 && (
    <span className="muted"> ({problems.map(({ path, message }) => `${path || '/'} ${message}`).join('; ')})</span>
  )
