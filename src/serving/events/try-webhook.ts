import { messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { createGuardedFetch } from '../../sources/guarded-fetch.js'
import { NotTaken, post, signatureOf } from '../signed-post.js'
import { letterTo, testEvent } from './webhook-letter.js'
import type { Webhook } from './webhooks.js'

/** What the other end said to a test. */
export interface WebhookTrial {
  readonly host: string
  readonly id: string
  readonly ok: boolean
  /** Undefined where nothing was answered. */
  readonly status?: number | undefined
  readonly why?: string | undefined
  readonly tookMs: number
}

/** Sends one message by hand, once, and says what came back. */
export const tryWebhook = async (webhook: Webhook, clock: Clock): Promise<WebhookTrial> => {
  const url = new URL(webhook.url)
  const event = testEvent(clock.wall(), url.host)
  const { body, headers, secret, timeoutMs } = letterTo(webhook, event, undefined)
  const fetch = createGuardedFetch({ isTrusted: ({ origin }) => origin === url.origin, timeoutMs })
  const signed = {
    'content-type': 'application/json',
    'pegboard-signature': signatureOf(secret, body, clock.wall()),
    ...headers,
  }
  const began = clock.now()
  const told = { host: url.host, id: event.id }
  const tookMs = (): number => Math.round(clock.now() - began)
  try {
    const status = await post(fetch, url, { headers: signed, body, timeoutMs })
    return { ...told, ok: true, status, tookMs: tookMs() }
  } catch (error) {
    const status = error instanceof NotTaken ? error.status : undefined
    return { ...told, ok: false, status, why: messageOf(error), tookMs: tookMs() }
  } finally {
    await fetch.close()
  }
}
