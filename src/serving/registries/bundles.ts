import type { Config } from '../../config/schema.js'
import type { BundleInstaller } from '../../registries/bundle-installer.js'

/** Who unpacks MCPB bundles; undefined where nobody does. */
export const bundleInstallerOf = async (_config: Pick<Config, 'storage'>): Promise<BundleInstaller | undefined> =>
  undefined
