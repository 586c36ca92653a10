import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { AuditTarget } from '../config/audit-schema.js'
import { messageOf } from '../errors.js'
import { systemClock } from '../model/clock.js'
import { createGuardedFetch, type GuardedFetch } from '../sources/guarded-fetch.js'
import type { AuditShip } from '../telemetry/audit-file.js'
import { toOtlp } from '../telemetry/audit-otlp.js'
import { BatchShip } from '../telemetry/audit-ship.js'
import { type Note, systemActor } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import { post, signatureOf } from './signed-post.js'
import { version } from './version.js'

export interface ShipSurroundings {
  readonly logger: Logger
  readonly replica?: string | undefined
  /** A loss is itself a line. */
  readonly note: Note
}

const timeoutMs = 10_000

/** Opens where lines go besides the file. */
export type OpenShip = (target: AuditTarget, around: ShipSurroundings) => AuditShip

export const openShip: OpenShip = (target, around) => {
  if (typeof target === 'string')
    return new BatchShip({ name: 'stdout', clock: systemClock, batchMs: 50, send: toStdout, on: saidBy(around) })
  const url = new URL('otlp' in target ? logsAt(target.otlp) : target.webhook)
  const name = `${url.protocol}//${url.host}${url.pathname}`
  // The operator wrote this address down: it may be on this machine or in this network, but nothing it leads to may.
  const fetch = createGuardedFetch({ isTrusted: (asked) => asked.origin === url.origin, timeoutMs })
  const ship = new BatchShip({
    name,
    clock: systemClock,
    send: 'otlp' in target ? otlp(fetch, url, target.headers, around.replica) : webhook(fetch, url, target.secret),
    on: saidBy(around),
  })
  return {
    take: (line) => ship.take(line),
    close: async () => {
      await ship.close()
      await fetch.close()
    },
  }
}

const saidBy = ({ logger, note }: ShipSurroundings) => ({
  trouble: (name: string, error: unknown) =>
    logger.log('error', `The audit trail cannot be sent to ${name}: ${messageOf(error)}`),
  again: (name: string) => logger.log('info', `The audit trail is sent to ${name} again.`),
  lost: (name: string, count: number) => {
    logger.log('error', `The audit trail cannot be sent to ${name}: ${count} lines will not come there.`)
    note({
      ...{ kind: 'system', action: 'ship-loss', actor: systemActor, on: { type: 'ship', id: name } },
      ...{ outcome: 'failed', severity: 'high', count },
    })
  },
})

/** Done when it is read, as far as a pipe can tell: a reader that stands still must not fill the memory. */
const toStdout = (lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(lines.map((line) => `${line}\n`).join(''), (error) => (error ? reject(error) : resolve()))
  })

const logsAt = (address: string): string => {
  const url = new URL(address)
  if (url.pathname === '/') url.pathname = '/v1/logs'
  return url.href
}

/** Lines as they are, so that whoever takes them can check the chain. */
const webhook = (fetch: GuardedFetch, url: URL, secret: string) => {
  let last: { readonly lines: string; readonly id: string } | undefined
  return async (lines: readonly string[]): Promise<void> => {
    const body = lines.map((line) => `${line}\n`).join('')
    // The same batch has the same name each time it is sent.
    last = last?.lines === body ? last : { lines: body, id: randomUUID() }
    const headers = {
      'content-type': 'application/x-ndjson',
      'x-pegboard-batch': last.id,
      'x-pegboard-signature': signatureOf(secret, body, systemClock.wall()),
    }
    await post(fetch, url, { headers, body, timeoutMs })
  }
}

const otlp =
  (fetch: GuardedFetch, url: URL, headers: Readonly<Record<string, string>> = {}, replica = hostname()) =>
  async (lines: readonly string[]): Promise<void> => {
    const resource = { 'service.name': 'pegboard', 'service.version': version, 'service.instance.id': replica }
    const body = toOtlp(lines, resource)
    await post(fetch, url, { headers: { 'content-type': 'application/json', ...headers }, body, timeoutMs })
  }
