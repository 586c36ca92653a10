import type { ReactNode } from 'react'
import { type Drawing, Icon } from './icon.js'
import { type Right, useMay } from './may.js'

export interface ButtonProps {
  readonly children?: ReactNode
  readonly kind?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly icon?: Drawing
  /** For a button of an icon alone. */
  readonly label?: string
  readonly disabled?: boolean
  readonly submit?: boolean
  readonly pressed?: boolean
  /** Only for who has this right; others do not see it. */
  readonly right?: Right
  readonly onClick?: () => void
}

export const Button = ({ right, ...props }: ButtonProps) => (useMay()(right) ? <Plain {...props} /> : null)

const Plain = ({ children, kind = 'plain', icon, label, disabled, submit, pressed, onClick }: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    className={`button ${kind}${children === undefined ? ' square' : ''}`}
    disabled={disabled}
    onClick={onClick}
    {...(label === undefined ? {} : { 'aria-label': label, title: label })}
    {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)
