import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StoryClient } from '../helpers/clients/client.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'

/** A gateway as a user starts it, with the console in front. */
export interface OfficeProcess {
  readonly origin: string
  readonly client: StoryClient
  /** Everything it said so far. */
  log(): string
  dispose(): Promise<void>
}

/** Runs `serve` over the configuration of this folder, which is also its home, and is removed with it. */
export const startProcess = async (cli: string, folder: string): Promise<OfficeProcess> => {
  const file = join(folder, 'pegboard.json')
  // Named, since what merely lies in the working folder needs a yes; one who begins has none.
  const named = existsSync(file) ? ['--config', file] : []
  const args = [cli, 'serve', '--json', '--port', '0', '--data-path', join(folder, 'data'), ...named]
  const env = { ...process.env, HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: join(folder, '.config') }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const lines: string[] = []
  // Printed last of all: by then it listens, and the key is in its file.
  const link = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line)
      // A replica whose fleet has a key already has none to show.
      const isSecond = line.startsWith('Admin key: another replica')
      const [, found] =
        (isSecond ? /Listening: (\S+)\/mcp/.exec(lines.join('\n')) : /^Open the console: (\S+)/.exec(line)) ?? []
      if (found !== undefined) resolve(found)
    })
    void exited.then(() => reject(new Error(`The gateway ended:\n${lines.join('\n')}`)))
  })
  const { origin } = new URL(link)
  const client = await rawOverHttp('legacy', `${origin}/mcp`)
  return {
    origin,
    client,
    log: () => lines.join('\n'),
    dispose: async () => {
      await client.close()
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
