import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type FixtureEra = 'legacy' | 'modern' | 'dual'

const programOf = (era: FixtureEra): string => fileURLToPath(new URL(`servers/${era}.mjs`, import.meta.url))

/** How a surface fixture is run over pipes. */
export const stdioFixture = (era: FixtureEra) => ({ command: process.execPath, args: [programOf(era), 'stdio'] })

/** A surface fixture over HTTP, in a process of its own. */
export const startHttpFixture = async (
  era: FixtureEra,
  way: 'http' | 'stateless' = 'http',
): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const child = fork(programOf(era), [way])
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }]
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
