import { homedir } from 'node:os'
import { isGatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import type { BundlePlace } from '../../serving/bundles/install-bundle.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'

/** Where bundles of this configuration lie, and the machine they run on. */
export const bundlePlaceOf = async (flags: CommonFlags): Promise<BundlePlace> => {
  const { config, dataFolder } = await readConfig(flags).catch((error) => {
    // A file that is about to be made has no data folder of its own yet.
    if (isGatewayError(error) && error.code === 'CONFIG_UNREADABLE')
      return readConfig({ ...flags, config: undefined, here: false })
    throw error
  })
  await assertOwnFolder({ ...config.storage, path: dataFolder })
  return {
    dataFolder,
    platform: process.platform,
    home: process.env.HOME || homedir(),
    clock: systemClock,
  }
}
