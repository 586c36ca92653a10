import type { Config } from '../config/schema.js'
import type { GatewayOptions } from '../gateway.js'
import { quotaOf } from './profiles.js'

type CallSettings = Pick<GatewayOptions, 'timeoutMs' | 'retry' | 'breaker' | 'limits'>

/** How calls are carried, by the configuration as it is now. */
export const callSettingsOf = (config: Config): CallSettings => {
  const { timeoutMs, retry, breaker, rate, ...limits } = config.calls
  return {
    timeoutMs,
    retry,
    breaker,
    limits: {
      ...limits,
      rate: rate.calls === 0 ? undefined : rate,
      quotaOf: ({ profile = 'default' }) => quotaOf(config, profile),
    },
  }
}
