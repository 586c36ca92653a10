import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StoryClient } from './clients/client.js'

/** A server that runs whatever code it is handed, alone and without a file beside it. */
export const prisonerFile = fileURLToPath(new URL('servers/prisoner.mjs', import.meta.url))

/** How it is run, with the guards under test. */
export const prisoner = (guards: object = {}) => ({
  type: 'stdio',
  command: process.execPath,
  args: [prisonerFile],
  ...guards,
})

/** The same in a box of bubblewrap, which sees its program. */
export const boxed = (more: { readonly mounts?: readonly object[]; readonly network?: unknown } = {}, guards = {}) =>
  prisoner({
    ...guards,
    sandbox: { kind: 'bubblewrap', ...more, mounts: [{ path: prisonerFile }, ...(more.mounts ?? [])] },
  })

export interface Told {
  readonly isError: boolean
  readonly text: string
}

/** Runs code in the source of this name. */
export const tell = async (client: StoryClient, source: string, code: string): Promise<Told> => {
  const { isError, text } = await client.call(`${source}.run`, { code })
  return { isError: isError === true, text: text ?? '' }
}

/** Why bubblewrap cannot be tried here; undefined where it can. Said in the name of what is skipped. */
export const whyNoBubblewrap = (): string | undefined => {
  if (process.platform !== 'linux') return `bubblewrap needs Linux, and this is ${process.platform}`
  const args = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true']
  try {
    execFileSync('bwrap', args, { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ')
  }
}
