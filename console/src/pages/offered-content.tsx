import type { ReactNode } from 'react'
import type { PromptAnswer } from '../../../src/faces/admin/offers.js'
import type { JsonObject } from '../../../src/model/json.js'
import { formatCount, formatMs } from '../i18n/format.js'
import { useTexts } from '../i18n/texts.js'
import { offerWords } from '../i18n/words-offers.js'
import { Badge } from '../parts/badge.js'
import { Code, Json } from '../parts/code.js'
import { Drawn } from '../parts/drawn.js'
import { ErrorText } from '../parts/error-text.js'

export interface OfferedAnswerProps {
  readonly answer: Pick<PromptAnswer, 'ok' | 'error' | 'latencyMs'>
  readonly label: string
  readonly children: ReactNode
}

export interface OfferedContentProps {
  readonly text?: string | undefined
  /** Base64. */
  readonly blob?: string | undefined
  readonly type?: string | undefined
  readonly label: string
}

/** What became of asking a source for something it offers. */
export const OfferedAnswer = ({ answer: { ok, error, latencyMs }, label, children }: OfferedAnswerProps) => {
  const say = useTexts(offerWords)
  return (
    <section className="answer" aria-label={label} aria-live="polite">
      <p>
        <Badge tone={ok ? 'good' : 'bad'}>{error?.code ?? say('answered')}</Badge>{' '}
        <span className="muted">{say(ok ? 'answeredIn' : 'failedIn', { time: formatMs(latencyMs) })}</span>
      </p>
      {error && (
        <p>
          <ErrorText code={error.code} message={error.message} />
        </p>
      )}
      {children}
    </section>
  )
}

/** What a source gave to read: text as text, pictures drawn, of all else how much there is. */
export const OfferedContent = ({ text, blob, type = '', label }: OfferedContentProps) => {
  const say = useTexts(offerWords)
  if (text !== undefined)
    return text === '' ? (
      <p className="muted">{say('emptyContents')}</p>
    ) : (
      <Code text={pretty(text, type)} label={label} />
    )
  if (blob === undefined) return <p className="muted">{say('emptyContents')}</p>
  const size = formatCount(Math.floor((blob.length * 3) / 4) - (blob.endsWith('==') ? 2 : blob.endsWith('=') ? 1 : 0))
  if (!type.startsWith('image/')) return <p className="muted">{say('binary', { n: size, type: type || '?' })}</p>
  return (
    <Drawn
      data={blob}
      type={type}
      label={`${label}: ${say('picture', { n: size })}`}
      otherwise={say('unreadablePicture', { n: size, type })}
    />
  )
}

/** A block of a message, of whatever kind. */
export const ContentBlock = ({ block, label }: { readonly block: unknown; readonly label: string }) => {
  if (!isRecord(block)) return <Json value={block} label={label} />
  const { type, text, data, mimeType, resource } = block
  if (type === 'text' && typeof text === 'string') return <OfferedContent text={text} label={label} />
  if (typeof data === 'string')
    return <OfferedContent blob={data} type={typeof mimeType === 'string' ? mimeType : undefined} label={label} />
  if (type === 'resource' && isRecord(resource))
    return (
      <>
        <p className="muted small mono">{String(resource.uri ?? '')}</p>
        <OfferedContent
          text={typeof resource.text === 'string' ? resource.text : undefined}
          blob={typeof resource.blob === 'string' ? resource.blob : undefined}
          type={typeof resource.mimeType === 'string' ? resource.mimeType : undefined}
          label={label}
        />
      </>
    )
  return <Json value={block} label={label} />
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const pretty = (text: string, type: string): string => {
  if (!/json/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
