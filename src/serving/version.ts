import { ownVersion } from '../model/version.js'

/** This package's own version. */
export const version: string = ownVersion()

/** Whether we were started by our second name, as users of that registry server do (document 002). */
export const isRegistryTools: boolean = /(?:^|[/\\])registry-tools(?:\.\w+)?$/.test(process.argv[1] ?? '')

/** The name for the configuration, where it brings defaults of its own. */
export const program = isRegistryTools ? 'registry-tools' : undefined

/** How we introduce ourselves to clients and servers. */
export const implementation = isRegistryTools
  ? { name: 'RegistryTools', title: 'RegistryTools (Pegboard)', version }
  : { name: 'pegboard', title: 'Pegboard', version }
