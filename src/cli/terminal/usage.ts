import type { Command } from 'commander'
import { nearest } from '../../config/nearest.js'
import { GatewayError } from '../../errors.js'
import { say, spoken } from '../../serving/locale.js'

/** A word that is no command: what was meant, or where they are listed. */
export const unknownCommand = (word: string, program: Command): GatewayError => {
  const names = program.commands.flatMap((command) => [command.name(), ...command.aliases()])
  const typed = word.slice(0, 60)
  const end = meant(word, names)
  const next =
    word === 'version'
      ? say('. The version: pegboard --version', '。查看版本：pegboard --version')
      : say(`${end} All of them: pegboard --help`, `${end}全部命令：pegboard --help`)
  return new GatewayError(
    'ARGUMENTS_INVALID',
    say(`There is no command '${typed}'${next}`, `没有命令“${typed}”${next}`),
  )
}

/** The end of a sentence about a name that is not known: with the likeliest of those that are, where one is near. */
export const meant = (word: string, names: Iterable<string>): string => {
  const guess = nearest(word, names)
  return guess === undefined ? say('.', '。') : say(`; did you mean "${guess}"?`, `。是不是“${guess}”？`)
}

/** What the parser of options says, with the next step; as JSON for programs. */
export const usageError = (text: string, write: (text: string) => void): void => {
  const message = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
  if (process.argv.includes('--json'))
    return write(`${JSON.stringify({ error: { code: 'ARGUMENTS_INVALID', message } })}\n`)
  const next = say('Add --help to the command to see how it is used.', '在命令后加 --help 查看用法。')
  write(`pegboard: ${spoken() === 'zh' ? parserZh(message) : message}\n${next}\n`)
}

/** The parser's sentences; one that it does not have yet stays as it says it. */
const parserWords: readonly (readonly [RegExp, string])[] = [
  [/^unknown option '(.+?)'/, '没有选项“$1”。'],
  [/^unknown command '(.+?)'/, '没有命令“$1”。'],
  [/^missing required argument '(.+?)'/, '缺少参数“$1”。'],
  [/^option '(.+?)' argument missing/, '选项“$1”缺少值。'],
  [/^required option '(.+?)' not specified/, '缺少必需的选项“$1”。'],
  [/^option '(.+?)' argument '(.*?)' is invalid\. Allowed choices are (.+?)\.$/, '选项“$1”不接受“$2”，可选：$3。'],
  [
    /^too many arguments for '(.+?)'\. Expected (\d+) arguments? but got (\d+)\./,
    '“$1”的参数过多：需要 $2 个，给了 $3 个。',
  ],
  [/^too many arguments\. Expected (\d+) arguments? but got (\d+)\./, '参数过多：需要 $1 个，给了 $2 个。'],
  [/ \(Did you mean one of (.+?)\?\)$/, '是不是 $1 之一？'],
  [/ \(Did you mean (.+?)\?\)$/, '是不是“$1”？'],
]

const parserZh = (message: string): string =>
  parserWords.reduce((text, [pattern, zh]) => text.replace(pattern, zh), message)
