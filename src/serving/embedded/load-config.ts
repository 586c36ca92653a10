import type { LoadedConfig, LoadOptions } from '../../config/load.js'

/**
 * Reads a configuration as `pegboard` itself would: file, environment and defaults as one frozen value. Throws a
 * GatewayError that lists every problem with its place.
 */
export const loadConfig = async (options: Partial<LoadOptions> = {}): Promise<LoadedConfig> => {
  const { loadConfig: load } = await import('../../config/load.js')
  return load({ cwd: process.cwd(), env: process.env, ...options })
}
