import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

/** `pegboard serve` as a process on a free port. */
export interface ServedCli {
  readonly port: string
  readonly url: string
  /** What it has said so far. */
  log(): string
  stop(): Promise<void>
}

export interface ServeCliOptions {
  /** Default: its home. */
  readonly cwd?: string
  /** False leaves a `pegboard.json` of the folder unnamed. Default: true. */
  readonly named?: boolean
  /** Default: any free one. */
  readonly port?: string
}

/** Starts it in a folder that is also its home; resolves when no source is starting any more. */
export const serveCli = async (home: string, options: ServeCliOptions = {}): Promise<ServedCli> => {
  const { cwd = home, named = true, port: wanted = '0' } = options
  const child = spawn(process.execPath, [cliPath(), 'serve', '--port', wanted, '--json'], {
    cwd,
    env: bareEnv(home, {}, named ? cwd : 'unnamed'),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const port = await listening(child)
  const url = `http://127.0.0.1:${port}`
  await ready(url)
  return {
    port,
    url,
    log: () => said,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      const found = /Listening: http:\/\/[^:]+:(\d+)/.exec(text)
      if (found) resolve(found[1]!)
    }
    child.stdout!.on('data', read)
    child.stderr!.on('data', read)
    child.on('close', () => reject(new Error(`The gateway ended:\n${text}`)))
  })

// Not by /readyz, which does not wait for sources; and whoever asks it is a balancer, for whom the end takes longer.
const ready = async (url: string): Promise<void> => {
  const { sources = [] } = (await (await fetch(`${url}/api/v1/sources`)).json()) as { sources?: { state: string }[] }
  if (sources.some(({ state }) => state === 'starting')) await ready(url)
}
