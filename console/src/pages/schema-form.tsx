import { useState } from 'react'
import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import { Button } from '../parts/button.js'
import { Choice, Text } from '../parts/field.js'
import { type FormField, fieldsOf, withItem, withKey } from './schema-fields.js'

export interface SchemaFormProps {
  readonly schema: JsonObject
  readonly value: JsonObject
  onChange(value: JsonObject): void
}

/** A form of an object schema. What has no field of its own is written as JSON, so nothing is out of reach. */
export const SchemaForm = ({ schema, value, onChange }: SchemaFormProps) => {
  const say = useTexts()
  const fields = fieldsOf(schema)
  if (fields.length === 0) return <p className="muted">{say('noArguments')}</p>
  return (
    <div className="schema-form">
      {fields.map((field) => (
        <FieldOf
          key={field.name}
          field={field}
          value={value[field.name]}
          onChange={(next) => onChange(withKey(value, field.name, next))}
        />
      ))}
    </div>
  )
}

interface FieldProps {
  readonly field: FormField
  readonly value: Json | undefined
  onChange(value: Json | undefined): void
}

const FieldOf = ({ field, value, onChange }: FieldProps) => {
  const say = useTexts()
  const { name, hint, required } = field
  const shared = { label: name, required, ...(hint === undefined ? {} : { hint }) }
  switch (field.kind) {
    case 'text':
      return (
        <Text {...shared} value={String(value ?? '')} onChange={(text) => onChange(text === '' ? undefined : text)} />
      )
    case 'number':
      return (
        <Text {...shared} type="number" value={String(value ?? '')} onChange={(text) => onChange(toNumber(text))} />
      )
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
    case 'choice':
      return (
        <Choice
          {...shared}
          value={value === undefined ? '' : JSON.stringify(value)}
          options={[['', say('notSet')], ...field.choices.map((each) => [JSON.stringify(each), String(each)] as const)]}
          onChange={(text) => onChange(text === '' ? undefined : (JSON.parse(text) as Json))}
        />
      )
    case 'object':
      return (
        <fieldset>
          <legend>{name}</legend>
          <SchemaForm schema={field.schema} value={isObject(value) ? value : {}} onChange={onChange} />
        </fieldset>
      )
    case 'list':
      return <ListField field={field} value={Array.isArray(value) ? value : []} onChange={onChange} />
    case 'json':
      return <JsonField {...shared} value={value} onChange={onChange} />
  }
}

const ListField = ({ field, value, onChange }: FieldProps & { readonly value: readonly Json[] }) => {
  const say = useTexts()
  const { item } = field
  if (!item) return null
  const set = (next: readonly Json[]): void => onChange(next.length === 0 ? undefined : next)
  return (
    <fieldset>
      <legend>{field.name}</legend>
      {field.hint && <p className="hint">{field.hint}</p>}
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
        <div className="row item" key={index}>
          <FieldOf
            field={{ ...item, name: `${field.name} ${index + 1}` }}
            value={each}
            onChange={(next) => set(withItem(value, index, next ?? null))}
          />
          <Button
            kind="quiet"
            icon="close"
            label={say('removeItem', { n: index + 1 })}
            onClick={() => set(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button kind="quiet" icon="plus" onClick={() => set([...value, item.kind === 'number' ? 0 : ''])}>
        {say('addItem')}
      </Button>
    </fieldset>
  )
}

const toNumber = (text: string): number | undefined =>
  text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface JsonFieldProps {
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
  readonly value: Json | undefined
  onChange(value: Json | undefined): void
}

/** A value of any form. What is not JSON yet stays as it was typed and counts as not set. */
const JsonField = ({ label, hint, required, value, onChange }: JsonFieldProps) => {
  const say = useTexts()
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [why, setWhy] = useState<string>()
  const change = (next: string): void => {
    setText(next)
    try {
      onChange(next.trim() === '' ? undefined : (JSON.parse(next) as Json))
      setWhy(undefined)
    } catch (error) {
      onChange(undefined)
      setWhy((error as Error).message)
    }
  }
  const told = why === undefined ? hint : say('invalidJson', { why })
  return (
    <Text
      label={`${label} (JSON)`}
      rows={3}
      mono
      value={text}
      onChange={change}
      {...(required ? { required } : {})}
      {...(told === undefined ? {} : { hint: told })}
    />
  )
}
