import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.js'
import type { Call } from '../../src/model/call.js'
import { localCaller } from '../../src/model/caller.js'
import type { Outcome } from '../../src/model/outcome.js'
import { defineTool, type ToolOptions } from '../../src/sources/functions/define-tool.js'
import type { CallRecord } from '../../src/telemetry/calls.js'
import { VirtualClock } from './virtual-clock.js'

export interface Started {
  readonly gateway: Gateway
  readonly clock: VirtualClock
  readonly records: readonly CallRecord[]
  readonly logs: readonly string[]
  call(args?: unknown, more?: Partial<Call>): Promise<Outcome>
}

/** A gateway with one tool named `tool` on a clock that stands still. */
export const startGateway = (
  tool: Partial<ToolOptions> & Pick<ToolOptions, 'handler'>,
  options: GatewayOptions = {},
): Started => {
  const clock = new VirtualClock()
  const records: CallRecord[] = []
  const logs: string[] = []
  const logger = {
    log: (level: string, message: string) => void logs.push(`${level}: ${message}`),
    child: () => logger,
  }
  const gateway = createGateway({ clock, logger, ...options })
  gateway.register(defineTool({ name: 'tool', ...tool }))
  gateway.onCall((record) => records.push(record))
  return {
    gateway,
    clock,
    records,
    logs,
    call: (args, more) => gateway.call({ tool: 'tool', args, caller: localCaller, ...more }),
  }
}

export const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
export const returned = (outcome: Outcome): unknown =>
  outcome.ok && outcome.answer.type === 'value' ? outcome.answer.value : undefined
