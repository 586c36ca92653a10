import { useState } from 'react'
import type { JsonObject } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Badge } from '../parts/badge.js'
import { Check, Choice, Text } from '../parts/field.js'
import { type ArgumentDraft, type ArgumentMode, leftArgument, propertiesOf } from './override-draft.js'

const own = {
  leave: ['callers give it', '由调用方给出'],
  set: ['always this value', '固定为此值'],
  default: ['this value if they say nothing', '未给出时用此值'],
  hide: ['hidden, never sent', '隐藏且从不发送'],
  gone: ['gone upstream', '上游已没有'],
  what: ['What becomes of it', '如何处理'],
  value: ['Value', '值'],
  valueHint: ['Text, or JSON where it is none.', '文字；非文字参数写 JSON。'],
  setHint: [
    'Also $caller.id, $caller.profile, $run, $now or $uuid, or a variable as the file writes it. *** stays what it is.',
    '也可用 $caller.id、$caller.profile、$run、$now、$uuid，或按配置文件的写法引用变量。*** 表示保持不变。',
  ],
  secret: ['A secret: shown to nobody', '机密：不向任何人显示'],
  must: ['Callers must give it', '调用方必须给出'],
  words: ['Description for callers', '给调用方的说明'],
  narrowing: ['Only if', '条件'],
  narrowingHint: [
    'JSON of what is asked beyond what upstream asks: {"maxLength": 100}',
    '在上游要求之外再收窄的 JSON：{"maxLength": 100}',
  ],
  noObject: ['This is no JSON object.', '这不是 JSON 对象。'],
} as const satisfies OwnWords

const modes: readonly ArgumentMode[] = ['leave', 'default', 'set', 'hide']

export interface ArgumentsProps {
  readonly names: readonly string[]
  readonly upstream: JsonObject
  readonly drafts: Readonly<Record<string, ArgumentDraft>>
  /** Those whose conditions are no JSON. */
  readonly unread: readonly string[]
  /** What is wrong with one field of one argument. */
  problemAt(name: string, field: keyof ArgumentDraft): string | undefined
  onChange(name: string, draft: ArgumentDraft): void
}

/** What becomes of each argument, folded until somebody wants to say something about it. */
export const OverrideArguments = ({ names, upstream, drafts, unread, problemAt, onChange }: ArgumentsProps) => {
  const say = useTexts(own)
  if (names.length === 0) return <p className="muted">{say('noArguments')}</p>
  return names.map((name) => (
    <Argument
      key={name}
      name={name}
      isGone={!Object.hasOwn(propertiesOf(upstream), name)}
      draft={drafts[name] ?? leftArgument}
      problemAt={(field) => (field === 'narrowing' && unread.includes(name) ? say('noObject') : problemAt(name, field))}
      onChange={(draft) => onChange(name, draft)}
    />
  ))
}

interface ArgumentProps {
  readonly name: string
  readonly isGone: boolean
  readonly draft: ArgumentDraft
  problemAt(field: keyof ArgumentDraft): string | undefined
  onChange(draft: ArgumentDraft): void
}

const fields = Object.keys(leftArgument) as readonly (keyof ArgumentDraft)[]

const Argument = ({ name, isGone, draft, problemAt, onChange }: ArgumentProps) => {
  const say = useTexts(own)
  const isChanged = fields.some((field) => draft[field] !== leftArgument[field])
  const [open, setOpen] = useState(isChanged)
  const set = (change: Partial<ArgumentDraft>): void => onChange({ ...draft, ...change })
  const { mode } = draft
  const isGiven = mode === 'leave' || mode === 'default'
  return (
    <details
      className="argument"
      open={open || fields.some((field) => problemAt(field) !== undefined)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span className="mono strong">{name}</span> {isGone && <Badge tone="warn">{say('gone')}</Badge>}{' '}
        {isChanged && <Badge tone="accent">{say(mode)}</Badge>}
      </summary>
      <fieldset aria-label={name}>
        <Choice
          label={say('what')}
          value={mode}
          options={modes.map((each) => [each, say(each)] as const)}
          problem={problemAt('mode')}
          onChange={(next) => set({ mode: next as ArgumentMode })}
        />
        {(mode === 'set' || mode === 'default') && (
          <Text
            label={say('value')}
            hint={say(mode === 'set' ? 'setHint' : 'valueHint')}
            value={draft.value}
            problem={problemAt('value')}
            onChange={(value) => set({ value })}
            mono
          />
        )}
        {mode === 'set' && (
          <Check label={say('secret')} checked={draft.secret} onChange={(secret) => set({ secret })} />
        )}
        {isGiven && (
          <>
            <Text
              label={say('words')}
              value={draft.description}
              problem={problemAt('description')}
              onChange={(description) => set({ description })}
            />
            <Text
              label={say('narrowing')}
              hint={say('narrowingHint')}
              value={draft.narrowing}
              problem={problemAt('narrowing')}
              onChange={(narrowing) => set({ narrowing })}
              mono
            />
          </>
        )}
        {mode === 'leave' && (
          <Check label={say('must')} checked={draft.required} onChange={(required) => set({ required })} />
        )}
      </fieldset>
    </details>
  )
}
