import type { Command } from 'commander'
import { didYouMean } from '../config/nearest.js'
import { GatewayError } from '../errors.js'

/** A word that is no command: what was meant, or where they are listed. */
export const unknownCommand = (word: string, program: Command): GatewayError => {
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()])
  const hint = didYouMean(word, names) || '.'
  return new GatewayError(
    'ARGUMENTS_INVALID',
    `There is no command '${word.slice(0, 60)}'${hint} All of them: pegboard --help`,
  )
}

/** What the parser of options says, with the next step; as JSON for programs. */
export const usageError = (text: string, write: (text: string) => void): void => {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
  if (process.argv.includes('--json'))
    return write(`${JSON.stringify({ error: { code: 'ARGUMENTS_INVALID', message } })}\n`)
  write(`pegboard: ${message}\nAdd --help to the command to see how it is used.\n`)
}
