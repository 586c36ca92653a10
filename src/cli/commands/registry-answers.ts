import { nearest } from '../../config/nearest.js'
import { GatewayError } from '../../errors.js'
import type { AskedInput, InputAnswers, InputPlace } from '../../registries/inputs.js'
import { say } from '../../serving/locale.js'
import { pathHere } from '../terminal/ask-inputs.js'

/** What `--env`, `--arg` and `--header` say. */
export interface AnswerFlags {
  readonly env?: readonly string[] | undefined
  readonly arg?: readonly string[] | undefined
  readonly header?: readonly string[] | undefined
}

/** The answers that were typed behind the command, by what the server asks for. A name that it does not know is said. */
export const typedAnswers = (inputs: readonly AskedInput[], flags: AnswerFlags): InputAnswers => {
  const answers = new Map<string, string[]>()
  const take = (flag: string, pairs: readonly string[] | undefined, sign: string, places: readonly InputPlace[]) => {
    const known = inputs.filter(({ place }) => places.includes(place))
    for (const pair of pairs ?? []) {
      const at = pair.indexOf(sign)
      if (at < 1)
        throw new GatewayError(
          'ARGUMENTS_INVALID',
          say(`${flag} needs NAME${sign}VALUE.`, `${flag} 要写成 NAME${sign}VALUE。`),
        )
      const name = pair.slice(0, at).trim()
      const input = known.find((each) => isNamed(each, name)) ?? unknown(flag, name, known)
      const text = sign === ':' ? pair.slice(at + 1).trim() : pair.slice(at + 1)
      answers.set(input.key, [...(answers.get(input.key) ?? []), pathHere(input, text)])
    }
  }
  take('--env', flags.env, '=', ['env'])
  take('--arg', flags.arg, '=', ['arg', 'runtime', 'url'])
  take('--header', flags.header, ':', ['header'])
  return Object.fromEntries([...answers].map(([key, texts]) => [key, texts.length === 1 ? texts[0]! : texts]))
}

/** A flag may be written without its dashes, a header in any case, and everything by its whole key. */
const isNamed = ({ name, key, place }: AskedInput, typed: string): boolean =>
  key === typed ||
  name === typed ||
  (place === 'header' && name.toLowerCase() === typed.toLowerCase()) ||
  name.replace(/^-+/, '') === typed.replace(/^-+/, '')

const unknown = (flag: string, name: string, known: readonly AskedInput[]): never => {
  const names = known.map((each) => each.name)
  const guess = nearest(name, names)
  const hint = guess === undefined ? '' : say(` Did you mean '${guess}'?`, `是不是“${guess}”？`)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    names.length === 0
      ? say(`It takes nothing by ${flag}.`, `它不接受 ${flag}。`)
      : say(
          `It does not ask for '${name}'.${hint} By ${flag} it takes: ${names.join(', ')}.`,
          `它不需要“${name}”。${hint}可用 ${flag} 给出：${names.join('、')}。`,
        ),
  )
}
