import type { Command, Option } from 'commander'
import { examples } from './examples.js'
import { exitMeanings } from './exit.js'
import { sharedGroups } from './flags.js'

/** What every help has in common: a command's own options before those that all have, and examples at the end. */
export const completeHelp = (program: Command): void => {
  program.addHelpText('after', exitCodes)
  for (const command of program.commands) complete(command, [])
}

const complete = (command: Command, before: readonly string[]): void => {
  const path = [...before, command.name()]
  const lines = examples[path.join(' ')] ?? []
  // The parser looks options up by name: their order is only how they are shown.
  ;(command.options as Option[]).sort((a, b) => rankOf(a) - rankOf(b))
  if (lines.length > 0)
    command.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${indented(lines)}`)
  for (const each of command.commands) complete(each, path)
}

const rankOf = ({ helpGroupHeading = '' }: Option): number => sharedGroups.indexOf(helpGroupHeading)

const exitCodes = (): string =>
  `\nExit codes:\n${indented(Object.entries(exitMeanings).map(([code, meaning]) => `${code}  ${meaning.replaceAll('`', '')}`))}`

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')
