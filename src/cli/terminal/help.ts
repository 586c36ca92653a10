import { type Command, Help, type HelpConfiguration, type Option } from 'commander'
import { say, spoken } from '../../serving/locale.js'
import { sharedGroups } from '../flags.js'
import { examples } from './examples.js'
import { exitMeanings } from './exit.js'

/** What every help has in common: a command's own options before those that all have, and examples at the end. */
export const completeHelp = (program: Command): void => {
  program.addHelpText('after', exitCodes)
  for (const command of program.commands) complete(command, [])
}

const titles: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Commands:': '命令：',
}

/** The words that the parser of options brings along itself. In English they are its own. */
export const helpWords = (): HelpConfiguration => {
  if (spoken() === 'en') return {}
  const own = new Help()
  return {
    styleTitle: (title) => titles[title] ?? title,
    commandUsage: (command) => placed(own.commandUsage(command)),
    subcommandTerm: (command) => placed(own.subcommandTerm(command)),
    optionDescription: (option) => remarked(own.optionDescription(option)),
    argumentDescription: (argument) => remarked(own.argumentDescription(argument)),
  }
}

const placed = (text: string): string => text.replace('[options]', '[选项]').replace('[command]', '[命令]')

const remarked = (text: string): string =>
  text.replace(
    / \(((?:choices|default): .*)\)$/,
    (_, words: string) => `（${words.replace('choices: ', '可选：').replace('default: ', '默认：')}）`,
  )

const complete = (command: Command, before: readonly string[]): void => {
  const path = [...before, command.name()]
  const lines = examples[path.join(' ')] ?? []
  // The parser looks options up by name: their order is only how they are shown.
  ;(command.options as Option[]).sort((a, b) => rankOf(a) - rankOf(b))
  if (lines.length > 0) command.addHelpText('after', `\n${exampleTitle(lines.length)}\n${indented(lines)}`)
  if (command.commands.length > 0) command.helpCommand('help [command]', howUsed())
  for (const each of command.commands) complete(each, path)
}

/** What `help` is for, of the program and of every command that has commands of its own. */
export const howUsed = (): string => say('how a command is used', '查看命令的用法')

const exampleTitle = (number: number): string => say(number === 1 ? 'Example:' : 'Examples:', '示例：')

const rankOf = ({ helpGroupHeading = '' }: Option): number => sharedGroups.indexOf(helpGroupHeading)

const exitCodes = (): string =>
  `\n${say('Exit codes:', '退出码：')}\n${indented(Object.entries(exitMeanings).map(([code, meaning]) => `${code}  ${meaning.replaceAll('`', '')}`))}`

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')
