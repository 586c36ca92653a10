import type { GrantEvent } from '../../policy/grant-book.js'
import type { CallListener } from '../../telemetry/calls.js'
import { callAsked, quotaReached, quoted } from './event-words.js'
import type { ToldEvents } from './told-events.js'

// Who asks too much does so for a while: an hour is one thing.
const quotaOnceMs = 60 * 60_000
const askedOnceMs = 24 * 60 * 60_000

/** Calls that wait for a yes. */
export const tellAsked = (events: Pick<ToldEvents, 'tell'>, { type, grant }: GrantEvent): void => {
  if (type !== 'asked') return
  const { id, tool, caller, callerName, profile, rules, expiresAt } = grant
  const who = quoted(callerName ?? caller)
  void events.tell(
    {
      type: 'approval.waiting',
      subject: { type: 'call', id },
      text: callAsked(tool, who),
      page: { name: 'approvals', item: id },
      details: { kind: 'call', tool, caller, profile, rules: [...rules], expiresAt: new Date(expiresAt).toISOString() },
    },
    { key: `asked:${id}`, forMs: askedOnceMs },
  )
}

/** Callers who have used up their share. Told by whoever let the call in. */
export const quotaListener =
  (events: Pick<ToldEvents, 'tell'>): CallListener =>
  ({ code, caller, tool, handedOver }, { caller: { profile } }) => {
    if ((code !== 'RATE_LIMITED' && code !== 'QUOTA_EXCEEDED') || handedOver) return
    const name = quoted(tool)
    void events.tell(
      {
        type: 'quota.reached',
        subject: { type: 'caller', id: caller },
        text: quotaReached(caller, name),
        page: { name: 'calls' },
        details: { code, tool: name, profile: profile ?? 'default' },
      },
      { key: `quota:${caller}:${profile ?? ''}`, forMs: quotaOnceMs },
    )
  }
