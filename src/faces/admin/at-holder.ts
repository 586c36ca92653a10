import { GatewayError } from '../../errors.js'
import { sourceLease } from '../../fleet/fleet.js'
import type { Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { integer, shape, text, type ValueOf } from '../../operations/shape.js'

export const peer = shape({ era: text(), version: text() }, { name: text() })

export const restarted = shape({ status: shape({ state: text() }, { reason: text(), nextRetryAt: integer(), peer }) })

/** What is done to a source where it runs: the answer of its holder; undefined where that is us. */
export const atHolder = async (
  others: Others | undefined,
  name: string,
  exchange: HttpExchange,
  caller: Caller,
): Promise<ValueOf<typeof restarted> | undefined> => {
  const holder = others?.holderOf(sourceLease(name))
  if (!others || holder === undefined || holder === others.replica || exchange.passedBy !== undefined) return undefined
  const target = exchange.request.url ?? '/'
  const said = await others.askOne(holder, { method: 'POST', target, caller })
  if (said?.status === 200) return said.answer as unknown as ValueOf<typeof restarted>
  throw new GatewayError(
    'SOURCE_UNAVAILABLE',
    `'${name.slice(0, 64)}' runs at replica ${holder}, which did not answer; try again in a moment.`,
    { retryAfterMs: 1000 },
  )
}
