import { type ReactNode, useId } from 'react'

export interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly required?: boolean
  /** What is wrong with what stands there. */
  readonly problem?: string | undefined
  readonly children: (id: string, told: Told) => ReactNode
}

/** How a control says that something is wrong with it. */
export interface Told {
  readonly 'aria-invalid'?: true
  readonly 'aria-describedby'?: string
}

/** A label, what stands below it, and the control that belongs to both. */
export const Field = ({ label, hint, required, problem, children }: FieldProps) => {
  const id = useId()
  const why = `${id}-why`
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {required && <span className="required"> *</span>}
      </label>
      {children(id, problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': why })}
      {problem !== undefined && (
        <p className="wrong" id={why}>
          {problem}
        </p>
      )}
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
  readonly inputMode?: 'numeric' | 'decimal'
  readonly step?: string
  readonly problem?: string | undefined
  onChange(value: string): void
}

export const Text = ({ label, hint, required, rows, value, onChange, mono, problem, ...rest }: TextProps) => {
  const shared = {
    value,
    spellCheck: false,
    autoComplete: 'off',
    className: mono ? 'mono' : undefined,
    ...rest,
  }
  return (
    <Field label={label} hint={hint} problem={problem} {...(required ? { required } : {})}>
      {(id, told) =>
        rows === undefined ? (
          <input id={id} {...shared} {...told} onChange={({ target }) => onChange(target.value)} />
        ) : (
          <textarea id={id} rows={rows} {...shared} {...told} onChange={({ target }) => onChange(target.value)} />
        )
      }
    </Field>
  )
}

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly hint?: string | undefined
  readonly required?: boolean
  readonly problem?: string | undefined
  onChange(value: string): void
}

export const Choice = ({ label, hint, required, problem, value, options, onChange }: ChoiceProps) => (
  <Field label={label} hint={hint} problem={problem} {...(required ? { required } : {})}>
    {(id, told) => (
      <select id={id} value={value} {...told} onChange={({ target }) => onChange(target.value)}>
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
