import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

/** What `serve` has said when it ends its greeting. */
export const greeted = async (
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', ...args], {
    cwd: home,
    env: bareEnv(home, env),
  })
  let said = ''
  const told = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Ctrl+C')) resolve()
    })
  })
  const closed = once(child, 'close')
  await Promise.race([told, closed])
  child.kill('SIGTERM')
  await closed
  return said
}
