import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** This package's own version. Read from its manifest, so that there is one place to change it. */
export const version: string = manifest.version

/** Whether we were started by our second name, as users of that registry server do (document 002). */
export const isRegistryTools: boolean = /(?:^|[/\\])registry-tools(?:\.\w+)?$/.test(process.argv[1] ?? '')

/** The name for the configuration, where it brings defaults of its own. */
export const program = isRegistryTools ? 'registry-tools' : undefined

/** How we introduce ourselves to clients and servers. */
export const implementation = isRegistryTools
  ? { name: 'RegistryTools', title: 'RegistryTools (Pegboard)', version }
  : { name: 'pegboard', title: 'Pegboard', version }
