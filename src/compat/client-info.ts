import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** How the library introduces itself to the servers it connects to. */
export const clientInfo = Object.freeze({ name: 'pegboard', version: manifest.version })
