import type { Command } from 'commander'
import { say } from '../../serving/locale.js'

/** Flags that hold a secret, and the variable to put it into instead. */
const secretFlags: Readonly<Record<string, string>> = { token: 'PEGBOARD_TOKEN', key: 'PEGBOARD_ADMIN_KEY' }

/** Every user of a machine can read the command lines of all processes on it, and shells keep them (S25). */
export const warnOfSecrets = (command: Command): void => {
  for (const [name, variable] of Object.entries(secretFlags)) {
    const isTyped = [command, command.parent].some((each) => each?.getOptionValueSource(name) === 'cli')
    if (!isTyped) continue
    const warning = say(
      `--${name} can be read by every user of this machine (ps, /proc) and stays in the shell's history. Set ${variable} instead.`,
      `--${name} 会被本机所有用户看到（ps、/proc），并留在 shell 历史中。请改用环境变量 ${variable}。`,
    )
    process.stderr.write(command.opts().json === true ? `${JSON.stringify({ warning })}\n` : `${warning}\n`)
  }
}
