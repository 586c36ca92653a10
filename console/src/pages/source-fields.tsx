import type { SourceKey } from '../../../src/faces/admin/source-reading.js'
import { useLanguage, useTexts } from '../i18n/texts.js'
import { keyWords } from '../i18n/words-source-keys.js'
import { sourceWords } from '../i18n/words-sources.js'
import { Choice, Text } from '../parts/field.js'
import { type Draft, kindIn, mainKeys } from './source-draft.js'

export interface SourceFieldsProps {
  readonly fields: readonly SourceKey[]
  readonly draft: Draft
  /** What is not JSON yet, by its key. */
  readonly problems: Readonly<Record<string, string>>
  onChange(key: string, text: string): void
}

/** The keys of a source, made from what the configuration takes: what it is first, all others folded. */
export const SourceFields = ({ fields, ...rest }: SourceFieldsProps) => {
  const say = useTexts(sourceWords)
  const main = fields.filter(({ key, required }) => required || mainKeys.has(key))
  const more = fields.filter((field) => !main.includes(field))
  const set = more.filter(({ key }) => (rest.draft.texts[key] ?? '') !== '').length
  return (
    <>
      {main.map((field) => (
        <KeyField key={field.key} field={field} {...rest} />
      ))}
      <details className="more-keys" open={more.some(({ key }) => rest.problems[key] !== undefined) || undefined}>
        <summary>
          {say('moreKeys')} {set > 0 && <span className="muted small">{say('nSet', { n: set })}</span>}
        </summary>
        <div className="key-grid">
          {more.map((field) => (
            <KeyField key={field.key} field={field} {...rest} />
          ))}
        </div>
      </details>
    </>
  )
}

type KeyFieldProps = Omit<SourceFieldsProps, 'fields'> & { readonly field: SourceKey }

const KeyField = ({ field, draft, problems, onChange }: KeyFieldProps) => {
  const say = useTexts(sourceWords)
  const language = useLanguage()
  const { key, required, choices = [], byDefault } = field
  const kind = kindIn(draft, field)
  const words = keyWords[key]
  const shared = {
    label: words?.label[language === 'zh' ? 1 : 0] ?? key,
    hint: hintOf(field, kind, language === 'zh' ? words?.zh : undefined, say),
    required,
    value: draft.texts[key] ?? '',
    onChange: (text: string) => onChange(key, text),
  }
  if (kind === 'choice' || kind === 'switch') {
    const options =
      kind === 'choice'
        ? choices.map((each) => [each, each] as const)
        : [['true', say('yes')] as const, ['false', say('no')] as const]
    const none = byDefault === undefined ? say('notSet') : say('byDefault', { value: defaultWord(byDefault, say) })
    return <Choice {...shared} options={[['', none], ...options]} />
  }
  const problem = problems[key] === undefined ? undefined : say('notJsonYet', { why: problems[key] })
  const isTall = kind === 'list' || kind === 'pairs' || kind === 'json'
  const rows = isTall ? Math.min(8, Math.max(2, shared.value.split('\n').length)) : undefined
  return (
    <Text
      {...shared}
      mono
      problem={problem}
      {...(rows === undefined ? {} : { rows })}
      {...(kind === 'number' ? { type: 'number' } : {})}
    />
  )
}

type Say = ReturnType<typeof useTexts<typeof sourceWords>>

const defaultWord = (value: unknown, say: Say): string =>
  typeof value === 'boolean' ? say(value ? 'yes' : 'no') : String(value)

/** What a key means, then how its kind is written. */
const hintOf = ({ key, help }: SourceKey, kind: SourceKey['kind'], zh: string | undefined, say: Say): string => {
  const meaning = zh ?? help.replace(/\s*See \[.*$/, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const form =
    kind === 'list' && key !== 'args'
      ? say('onePerLine')
      : kind === 'pairs'
        ? say(key === 'headers' ? 'headersHint' : 'envHint')
        : kind === 'json'
          ? 'JSON'
          : key === 'args' && zh === undefined
            ? say('onePerLine')
            : ''
  return [meaning.replaceAll('`', ''), form].filter((part) => part !== '').join(/[.。]$/.test(meaning) ? ' ' : '. ')
}
