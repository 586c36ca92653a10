import type { Server } from 'node:http'
import type { Clock } from '../model/clock.js'
import type { Active } from './active.js'

export interface CloseParts {
  readonly server: Server
  readonly active: Active
  readonly clock: Clock
  /** From here on new requests are refused. */
  begin(): void
}

/**
 * Stops within a grace (F23). The port stays open until the last running request has ended: new ones are told 503 and
 * go elsewhere, where a closed port would look like a crash. A later call may shorten the grace, never lengthen it.
 */
export const createClose = ({ server, active, clock, begin }: CloseParts): ((graceMs: number) => Promise<void>) => {
  let closing: Promise<void> | undefined
  let force = () => {}

  const run = async (): Promise<void> => {
    const forced = new Promise<void>((resolve) => {
      force = resolve
    })
    begin()
    active.drain()
    server.closeIdleConnections()
    await Promise.race([active.idle(), forced])
    await shut(server, active)
  }

  return (graceMs) => {
    closing ??= run()
    const cancel = clock.after(graceMs, force)
    return closing.finally(cancel)
  }
}

const shut = (server: Server, active: Active): Promise<void> =>
  new Promise((resolve) => {
    // The error of a server that never listened is no news: closed is what was asked for.
    server.close(() => resolve())
    active.destroySockets()
    server.closeAllConnections()
  })
