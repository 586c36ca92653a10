import { useState } from 'react'
import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import { tryWords } from '../i18n/words-try.js'
import { Check, Choice, Text } from '../parts/field.js'
import { useForm } from './form-context.js'
import { fromText, toText } from './form-edit.js'
import { choicesOf, choiceTitle, type FormNode, same } from './form-node.js'

export interface FieldProps {
  readonly node: FormNode
  readonly label: string
  readonly required: boolean
  readonly value: Json | undefined
  readonly path: string
  onChange(value: Json | undefined): void
}

/** One value that is no list and no object: a text, a number, yes or no, one of some. */
export const ScalarField = (props: FieldProps) => {
  const say = useTexts(tryWords)
  const { node, label, value, path, onChange } = props
  const isNull = value === null
  return (
    <div className="schema-value" data-path={path}>
      {!(isNull && node.nullable) && <OneOf {...props} />}
      {node.nullable && (
        <Check
          label={say('isNull', { name: label })}
          checked={isNull}
          onChange={(on) => onChange(on ? null : undefined)}
        />
      )}
    </div>
  )
}

const OneOf = (props: FieldProps) => {
  const say = useTexts()
  const { node, label, required, value, path, onChange } = props
  const { problemAt } = useForm()
  const shared = { label, required, hint: useHint(node), problem: problemAt(path) }
  switch (node.kind) {
    case 'boolean':
      return (
        <Choice
          {...shared}
          value={value === undefined ? '' : String(value)}
          options={[
            ['', say('notSet')],
            ['true', say('yes')],
            ['false', say('no')],
          ]}
          onChange={(text) => onChange(text === '' ? undefined : text === 'true')}
        />
      )
    case 'const':
    case 'enum': {
      const choices = node.kind === 'const' ? [node.schema.const as Json] : choicesOf(node.schema)
      const named = choices.map(
        (each, at) => [String(at), choiceTitle(node.schema, at) ?? textOf(each)] as [string, string],
      )
      return (
        <Choice
          {...shared}
          value={value === undefined ? '' : String(choices.findIndex((each) => same(each, value)))}
          options={[['', say('notSet')], ...named]}
          onChange={(at) => onChange(at === '' ? undefined : choices[Number(at)])}
        />
      )
    }
    case 'number':
      return <NumberField {...props} {...shared} />
    default:
      return (
        <Text
          {...shared}
          {...lookOf(node.schema, label, value)}
          value={toText(value)}
          onChange={(text) => onChange(fromText('text', text))}
        />
      )
  }
}

type Shared = Pick<Parameters<typeof Text>[0], 'label' | 'required' | 'hint' | 'problem'>

/** What is half typed, such as `-` or `1.`, stays as it is typed and counts as nothing yet. */
const NumberField = ({ node: { schema }, value, onChange, path: _, ...shared }: FieldProps & Shared) => {
  const [typed, setTyped] = useState('')
  const text = fromText('number', typed) === value ? typed : toText(value)
  const change = (next: string): void => {
    setTyped(next)
    onChange(fromText('number', next))
  }
  const whole = schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'))
  return (
    <Text
      {...shared}
      inputMode={whole ? 'numeric' : 'decimal'}
      type="number"
      step="any"
      value={text}
      onChange={change}
    />
  )
}

/** The description, and the bounds that are not seen otherwise. */
const useHint = ({ hint, schema }: FormNode): string | undefined => {
  const say = useTexts(tryWords)
  const least = schema.minimum ?? schema.exclusiveMinimum
  const most = schema.maximum ?? schema.exclusiveMaximum
  const bounds =
    typeof least === 'number' && typeof most === 'number'
      ? say('between', { least, most })
      : typeof least === 'number'
        ? say('atLeast', { n: least })
        : typeof most === 'number'
          ? say('atMost', { n: most })
          : undefined
  const parts = [hint, bounds].filter((each) => each !== undefined)
  return parts.length === 0 ? undefined : parts.join(' · ')
}

const longNames = /^(?:body|text|content|message|prompt|code|script|html|markdown|sql|query_?text|input_?text)$/i

/** What kind of input a text gets. A browser's own field for a kind is taken only where it can show the value unchanged. */
const lookOf = (schema: JsonObject, label: string, value: Json | undefined) => {
  const { format, maxLength, writeOnly } = schema
  const text = typeof value === 'string' ? value : ''
  if (format === 'password' || writeOnly === true) return { type: 'password' }
  const isLong = format === 'multiline' || format === 'textarea' || schema.contentMediaType !== undefined
  if (isLong || text.includes('\n') || (typeof maxLength === 'number' && maxLength > 300)) return { rows: 4 }
  if (format === undefined && longNames.test(label)) return { rows: 3 }
  if (format === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text))) return { type: 'date' }
  if (format === 'date-time') return { placeholder: '2026-01-31T12:00:00Z' }
  if (format === 'time') return { placeholder: '12:00:00Z' }
  if (format === 'uri' && text.trim() === text) return { type: 'url', placeholder: 'https://' }
  if (format === 'email' && text.trim() === text) return { type: 'email' }
  return {}
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
