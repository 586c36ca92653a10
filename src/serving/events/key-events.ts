import type { KeyRecord } from '../../access/key-record.js'
import type { Clock } from '../../model/clock.js'
import { certificateEnds, keyEnds, quoted } from './event-words.js'
import type { Happening, ToldEvents } from './told-events.js'

const dayMs = 24 * 60 * 60_000
/** So many days before, each once. */
const warnings = [1, 7] as const
const lookMs = 60 * 60_000

export interface KeyEventParts {
  readonly events: Pick<ToldEvents, 'tell'>
  readonly clock: Clock
  /** Keys that open something now. */
  readonly keys: () => readonly Pick<KeyRecord, 'id' | 'name' | 'createdAt' | 'expiresAt'>[]
  /** Our own certificate, where we show one. */
  readonly certificate: () => Promise<EndingCertificate | undefined>
}

export interface EndingCertificate {
  readonly name: string
  readonly beginsAt: number
  readonly endsAt: number
}

/** Looks now and every hour for what is about to end. Returns how to stop. */
export const watchKeys = ({ events, clock, keys, certificate }: KeyEventParts): (() => void) => {
  let isOver = false
  let cancel = (): void => {}
  const warn = (what: Happening['subject'], name: string, beganAt: number, endsAt: number): void => {
    const leftMs = endsAt - clock.wall()
    // Of what is made for less, everybody knows that it ends.
    const days = warnings.find((each) => leftMs <= each * dayMs && endsAt - beganAt > each * dayMs)
    if (days === undefined || leftMs <= 0) return
    const left = Math.max(1, Math.ceil(leftMs / dayMs))
    const text = what.type === 'key' ? keyEnds(name, left) : certificateEnds(name, left)
    void events.tell(
      {
        ...{ type: 'key.expiring', subject: what, text },
        page: { name: what.type === 'key' ? 'keys' : 'settings' },
        details: { name, expiresAt: new Date(endsAt).toISOString(), days: left },
      },
      { key: `ends:${what.type}:${what.id}:${endsAt}:${days}`, forMs: 8 * dayMs, isKept: true },
    )
  }
  const look = async (): Promise<void> => {
    for (const { id, name, createdAt, expiresAt } of keys())
      if (expiresAt !== undefined) warn({ type: 'key', id }, quoted(name), createdAt, expiresAt)
    const shown = await certificate().catch(() => undefined)
    if (isOver) return
    if (shown) warn({ type: 'certificate', id: shown.name }, quoted(shown.name), shown.beginsAt, shown.endsAt)
    cancel = clock.after(lookMs, () => void look())
  }
  void look()
  return () => {
    isOver = true
    cancel()
  }
}
