export interface ToggleProps {
  readonly label: string
  readonly on: boolean
  readonly disabled?: boolean
  onChange(on: boolean): void
}

/** On or off, at once. */
export const Toggle = ({ label, on, disabled, onChange }: ToggleProps) => (
  <button
    type="button"
    role="switch"
    className="toggle"
    aria-checked={on}
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={() => onChange(!on)}
  />
)
