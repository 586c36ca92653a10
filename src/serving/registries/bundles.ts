import { homedir } from 'node:os'
import type { Config } from '../../config/schema.js'
import { systemClock } from '../../model/clock.js'
import type { BundleInstaller } from '../../registries/bundle-installer.js'

/** Who unpacks MCPB bundles; undefined where nothing is kept on this machine for the gateway that will run them. */
export const bundleInstallerOf = async ({ storage }: Pick<Config, 'storage'>): Promise<BundleInstaller | undefined> => {
  if (storage.backend === 'memory' || (storage.backend === 'postgres' && !storage.fileOnly)) return undefined
  const { createBundleInstaller } = await import('../bundles/bundle-installer.js')
  return createBundleInstaller({
    dataFolder: storage.path,
    platform: process.platform,
    home: process.env.HOME || homedir(),
    clock: systemClock,
  })
}
