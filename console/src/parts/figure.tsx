import type { ReactNode } from 'react'

export interface FigureProps {
  readonly name: string
  readonly value: string
  readonly bad?: boolean
  readonly children: ReactNode
}

/** A number with its name, and what it means. */
export const Figure = ({ name, value, bad, children }: FigureProps) => (
  <div className={`figure${bad ? ' bad' : ''}`}>
    <span className="name">{name}</span>
    <span className="value">{value}</span>
    <span className="note">{children}</span>
  </div>
)
