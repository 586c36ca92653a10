import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type StdioFixture = 'stdio-legacy' | 'stdio-modern' | 'stdio-raw'
export type NetworkFixture = 'http-legacy' | 'http-modern' | 'sse' | 'websocket'

/** Of a server that offers all there is, not tools alone. */
export type BoardEra = 'legacy' | 'modern' | 'dual'

const programOf = (name: StdioFixture | NetworkFixture | 'dual'): string =>
  fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url))

const commandOf = (name: StdioFixture | 'dual', ...args: readonly string[]) => ({
  command: process.execPath,
  args: [programOf(name), ...args],
})

/** How a stdio fixture is run. */
export const fixtureCommand = (name: StdioFixture) => commandOf(name)

/** How a stdio fixture is run that offers all there is. */
export const boardCommand = (era: BoardEra) =>
  era === 'dual' ? commandOf('dual', 'stdio') : commandOf(`stdio-${era}`, 'board')

/** A fixture server of its own process on loopback. */
export interface RunningFixture {
  readonly url: string
  readonly pid: number
  /** Forgets what tests made grow. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export const startFixture = (name: NetworkFixture, env: Record<string, string> = {}): Promise<RunningFixture> =>
  start(name, [], env)

/** One that offers all there is. A server of both eras may keep no legacy sessions. */
export const startBoard = (era: BoardEra, way: 'http' | 'stateless' = 'http'): Promise<RunningFixture> =>
  era === 'dual' ? start('dual', [way]) : start(`http-${era}`, ['board'])

const start = async (
  name: NetworkFixture | 'dual',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<RunningFixture> => {
  const child = fork(programOf(name), args, { env: { ...process.env, ...env } })
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }]
  return {
    url: name === 'websocket' ? url.replace('http:', 'ws:') : url,
    pid: child.pid!,
    reset: async () => {
      child.send('reset')
      await once(child, 'message')
    },
    stop: () => end(child),
  }
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
