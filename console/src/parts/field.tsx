import { type ReactNode, useId } from 'react'

export interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly required?: boolean
  readonly children: (id: string) => ReactNode
}

/** A label, what stands below it, and the control that belongs to both. */
export const Field = ({ label, hint, required, children }: FieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="required"> *</span>}
      </label>
      {children(id)}
      {hint && <p className="hint">{hint}</p>}
    </div>
  )
}

export interface TextProps {
  readonly label: string
  readonly value: string
  readonly hint?: string | undefined
  readonly required?: boolean
  readonly rows?: number
  readonly type?: string
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly readOnly?: boolean
  readonly mono?: boolean
  onChange(value: string): void
}

export const Text = ({ label, hint, required, rows, value, onChange, mono, ...rest }: TextProps) => {
  const shared = {
    value,
    spellCheck: false,
    autoComplete: 'off',
    className: mono ? 'mono' : undefined,
    ...rest,
  }
  return (
    <Field label={label} hint={hint} {...(required ? { required } : {})}>
      {(id) =>
        rows === undefined ? (
          <input id={id} {...shared} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea id={id} rows={rows} {...shared} onChange={({ target }) => onChange(target.value)} />
        )
      }
    </Field>
  )
}

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly hint?: string
  readonly required?: boolean
  onChange(value: string): void
}

export const Choice = ({ label, hint, required, value, options, onChange }: ChoiceProps) => (
  <Field label={label} hint={hint} {...(required ? { required } : {})}>
    {(id) => (
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const Check = ({
  label,
  checked,
  onChange,
}: {
  readonly label: string
  readonly checked: boolean
  onChange(checked: boolean): void
}) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)
