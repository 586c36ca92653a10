import { readFileSync } from 'node:fs'

let known: string | undefined

/** How the library introduces itself to the servers it connects to. */
export const ownImplementation = (): { readonly name: string; readonly version: string } => ({
  name: 'pegboard',
  version: ownVersion(),
})

/** This package's version, from its manifest. A program that was bundled has that no longer, and still has to say something. */
export const ownVersion = (): string => (known ??= readVersion())

const readVersion = (): string => {
  try {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      readonly name?: string | undefined
      readonly version?: string | undefined
    }
    return (manifest.name === 'pegboard' && manifest.version) || 'bundled'
  } catch {
    return 'bundled'
  }
}
