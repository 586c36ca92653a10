import type { ReactNode } from 'react'
import { ApiError } from '../api/client.js'
import { useTexts } from '../i18n/texts.js'
import { ThrownText } from './error-text.js'

export interface PageProps {
  readonly title: string
  readonly lead?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Page = ({ title, lead, actions, children }: PageProps) => (
  <>
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
    {children}
  </>
)

export interface CardProps {
  readonly title?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export const Card = ({ title, aside, children }: CardProps) => (
  <section className="card">
    {title && (
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
    )}
    {children}
  </section>
)

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="empty">
    <p>{title}</p>
    {children}
  </div>
)

/** What went wrong, in the gateway's words, with its advice. */
export const Failure = ({ error }: { readonly error: Error }) => {
  const say = useTexts()
  // What is not there is no fault of anybody's: said, and nothing more (G12).
  if (error instanceof ApiError && error.status === 404)
    return (
      <p className="notice missing" role="status">
        <ThrownText error={error} />
      </p>
    )
  return (
    <div className="notice bad" role="alert">
      <strong>{say('failed')}</strong>
      <p>
        <ThrownText error={error} />
        {error instanceof ApiError && error.hint && ` ${error.hint}`}
      </p>
      {error instanceof ApiError && <code>{error.code}</code>}
    </div>
  )
}

export const Loading = () => {
  const say = useTexts()
  return (
    <p className="loading" role="status">
      {say('loading')}
    </p>
  )
}
