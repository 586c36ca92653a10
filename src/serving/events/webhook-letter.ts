import { randomUUID } from 'node:crypto'
import type { WebhookSettings } from '../../config/webhook-schema.js'
import type { ToldEvent } from '../../model/told-event.js'
import type { Letter } from '../deliveries.js'
import { justATest } from './event-words.js'

type Address = Readonly<Pick<WebhookSettings, 'url' | 'secret' | 'timeoutMs' | 'language'>>

/** An event as one webhook is told of it. The same bytes at each try: who knows the id has read it. */
export const letterTo = (
  { url, secret, timeoutMs, language }: Address,
  event: ToldEvent,
  base: string | undefined,
): Letter => ({
  ...{ url, secret, timeoutMs },
  headers: { 'pegboard-event': event.type, 'pegboard-delivery': event.id },
  body: JSON.stringify({
    id: event.id,
    type: event.type,
    at: new Date(event.at).toISOString(),
    subject: event.subject,
    text: event.text[language],
    link: base === undefined ? undefined : linkTo(base, event.page),
    replica: event.replica,
    details: event.details,
  }),
})

const linkTo = (base: string, page: ToldEvent['page']): string =>
  `${base}/#/${page ? `${page.name}${page.item === undefined ? '' : `/${encodeURIComponent(page.item)}`}` : ''}`

/** What `pegboard webhooks test` sends. */
export const testEvent = (at: number, host: string): ToldEvent => ({
  ...{ id: randomUUID(), type: 'test', at, text: justATest(), details: {} },
  subject: { type: 'webhook', id: host },
})
