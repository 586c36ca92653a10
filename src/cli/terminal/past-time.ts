import { GatewayError } from '../../errors.js'
import { say } from '../../serving/locale.js'

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 }

/** A moment that somebody typed: as it is written, or how long ago it was. */
export const pastTime = (flag: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = count !== undefined && unit !== undefined ? Date.now() - Number(count) * units[unit]! : Date.parse(text)
  if (!Number.isNaN(at)) return at
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `${flag} must be a time as 2026-11-16T08:00Z, or how long ago as 30m, 24h or 7d.`,
      `${flag} 必须是时间（如 2026-11-16T08:00Z）或多久以前（如 30m、24h、7d）。`,
    ),
  )
}
