import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

/** This package's own version. Read from its manifest, so that there is one place to change it. */
export const version: string = manifest.version

/** How we introduce ourselves to clients and servers. */
export const implementation = { name: 'pegboard', title: 'Pegboard', version } as const
