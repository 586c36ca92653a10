import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type StdioFixture = 'stdio-legacy' | 'stdio-modern' | 'stdio-raw'
export type NetworkFixture = 'http-legacy' | 'http-modern' | 'sse' | 'websocket'

const programOf = (name: StdioFixture | NetworkFixture): string =>
  fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url))

/** How a stdio fixture is run. */
export const fixtureCommand = (name: StdioFixture): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: [programOf(name)],
})

/** A fixture server of its own process on loopback. */
export interface RunningFixture {
  readonly url: string
  readonly pid: number
  /** Forgets what tests made grow. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export const startFixture = async (name: NetworkFixture, env: Record<string, string> = {}): Promise<RunningFixture> => {
  const child = fork(programOf(name), { env: { ...process.env, ...env } })
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
