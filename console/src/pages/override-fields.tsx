import type { ReactNode } from 'react'
import type { JsonObject } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import type { OwnWords } from '../i18n/words.js'
import { Choice, Text } from '../parts/field.js'
import { hints, type OverrideDraft } from './override-draft.js'

const own = {
  words: ['How callers see it', '调用方看到的样子'],
  onOff: ['On or off', '开启或关闭'],
  notSaid: ['nothing is said here', '此处不指定'],
  on: ['on', '开启'],
  off: ['off: nobody sees or calls it', '关闭：谁都看不到，也不能调用'],
  shownName: ['Name towards callers', '对调用方的名称'],
  title: ['Title', '标题'],
  tags: ['Tags', '标签'],
  asSource: ['Empty: as its source says.', '留空：与来源一致。'],
  annotations: ['Annotations', '注解'],
  readOnlyHint: ['Only reads', '只读'],
  destructiveHint: ['Destroys', '有破坏性'],
  idempotentHint: ['Twice is as once', '可重复调用'],
  openWorldHint: ['Reaches outside', '触及外部'],
  upstreamSays: ['as its source says', '与来源一致'],
  handedOn: ['Results', '结果'],
  pick: ['Hand on only', '只传递'],
  drop: ['Leave out', '去掉'],
  redact: ['Blot out', '遮盖'],
  pointers: [
    'JSON Pointers, one per line; * for every element: /items/*/name',
    'JSON Pointer，每行一个；* 表示每个元素：/items/*/name',
  ],
  maxBytes: ['At most so many bytes', '最多字节数'],
  cacheMs: ['Keep answers for (ms)', '答案保留（毫秒）'],
  cacheHint: ['Only for tools that change nothing.', '仅限不修改数据的工具。'],
} as const satisfies OwnWords

interface FieldsProps {
  readonly draft: OverrideDraft
  readonly upstream: JsonObject
  readonly tags: readonly string[]
  /** The arguments. */
  readonly children: ReactNode
  problemAt(field: string): string | undefined
  onChange(draft: OverrideDraft): void
}

/** What can be said of a tool; what upstream says stands in the empty fields. */
export const OverrideFields = ({ draft, upstream, tags, children, problemAt, onChange }: FieldsProps) => {
  const say = useTexts(own)
  const set = (change: Partial<OverrideDraft>): void => onChange({ ...draft, ...change })
  const text = (
    field: TextField,
    label: string,
    more: { readonly rows?: number; readonly hint?: string; readonly says?: unknown } = {},
  ) => (
    <Text
      label={label}
      hint={more.hint}
      value={draft[field]}
      placeholder={String(more.says ?? '')}
      problem={problemAt(field)}
      onChange={(value) => set({ [field]: value })}
      {...(more.rows === undefined ? {} : { rows: more.rows })}
      mono={pointers.has(field)}
    />
  )
  return (
    <>
      <fieldset>
        <legend>{say('words')}</legend>
        <Choice
          label={say('onOff')}
          value={draft.enabled}
          options={[
            ['', say('notSaid')],
            ['on', say('on')],
            ['off', say('off')],
          ]}
          problem={problemAt('enabled')}
          onChange={(enabled) => set({ enabled: enabled as OverrideDraft['enabled'] })}
        />
        <div className="pair">
          {text('name', say('shownName'), { hint: say('asSource'), says: upstream.name })}
          {text('title', say('title'), { says: upstream.title })}
        </div>
        {text('description', say('description'), { rows: 4, says: upstream.description })}
        {text('tags', say('tags'), { rows: 2, hint: say('onePerLine'), says: tags.join('\n') })}
      </fieldset>
      <fieldset>
        <legend>{say('annotations')}</legend>
        <div className="pair">
          {hints.map((hint) => (
            <Choice
              key={hint}
              label={say(hint)}
              value={draft.annotations[hint]}
              options={[
                ['', say('upstreamSays')],
                ['yes', say('yes')],
                ['no', say('no')],
              ]}
              problem={problemAt(hint)}
              onChange={(said) =>
                set({
                  annotations: { ...draft.annotations, [hint]: said as OverrideDraft['annotations'][typeof hint] },
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>{say('arguments')}</legend>
        {children}
      </fieldset>
      <fieldset>
        <legend>{say('handedOn')}</legend>
        <p className="hint">{say('pointers')}</p>
        <div className="pair">
          {text('pick', say('pick'), { rows: 2 })}
          {text('drop', say('drop'), { rows: 2 })}
          {text('redact', say('redact'), { rows: 2 })}
        </div>
        <div className="pair">
          {text('maxBytes', say('maxBytes'))}
          {text('cacheMs', say('cacheMs'), { hint: say('cacheHint') })}
        </div>
      </fieldset>
    </>
  )
}

type TextField = 'name' | 'title' | 'description' | 'tags' | 'pick' | 'drop' | 'redact' | 'maxBytes' | 'cacheMs'
const pointers: ReadonlySet<string> = new Set(['name', 'pick', 'drop', 'redact'])
