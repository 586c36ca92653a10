import { useEffect, useState } from 'react'
import type { JsonValue as Json } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import { Text } from '../parts/field.js'
import { useForm } from './form-context.js'
import { same } from './form-node.js'
import type { FieldProps } from './scalar-field.js'

/** A value of any form. What is not JSON yet stays as it was typed, and says so. */
export const JsonField = ({ label, required, value, path, onChange, node }: FieldProps) => {
  const say = useTexts()
  const { problemAt, onBroken } = useForm()
  const [typed, setTyped] = useState('')
  const read = readJson(typed)
  const text = same(read.value, value) ? typed : value === undefined ? '' : JSON.stringify(value, null, 2)
  const why = text === typed ? read.why : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a field that is gone has nothing broken in it
  useEffect(() => {
    onBroken(path, why)
    return () => onBroken(path, undefined)
  }, [path, why])
  const change = (next: string): void => {
    setTyped(next)
    onChange(readJson(next).value)
  }
  return (
    <div className="schema-value" data-path={path}>
      <Text
        label={`${label} (JSON)`}
        rows={Math.min(12, Math.max(2, text.split('\n').length))}
        mono
        required={required}
        value={text}
        hint={node.hint}
        problem={why === undefined ? problemAt(path) : say('invalidJson', { why })}
        onChange={change}
      />
    </div>
  )
}

const readJson = (text: string): { readonly value?: Json; readonly why?: string } => {
  if (text.trim() === '') return {}
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { why: (error as Error).message }
  }
}
