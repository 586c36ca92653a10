import { useState } from 'react'
import type { JsonValue as Json } from '../../../src/model/json.js'
import { useTexts } from '../i18n/texts.js'
import { Text } from '../parts/field.js'

export interface JsonFieldProps {
  readonly label: string
  readonly hint?: string
  readonly required?: boolean
  readonly value: Json | undefined
  onChange(value: Json | undefined): void
}

/** A value of any form. What is not JSON yet stays as it was typed and counts as not set. */
export const JsonField = ({ label, hint, required, value, onChange }: JsonFieldProps) => {
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
