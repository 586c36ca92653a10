import { type Right, useMay } from './may.js'

export interface SwitchProps {
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean | undefined
  /** Who lacks it sees how it stands, and cannot change it. */
  readonly right: Right
  onChange(on: boolean): void
}

/** On or off, at once. */
export const Switch = ({ label, on, disabled = false, right, onChange }: SwitchProps) => {
  const may = useMay()
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={label}
      title={label}
      disabled={disabled || !may(right)}
      onClick={() => onChange(!on)}
    />
  )
}
