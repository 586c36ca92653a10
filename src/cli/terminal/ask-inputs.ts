import { isAbsolute, resolve } from 'node:path'
import { type AskedInput, answerProblem, type InputAnswers } from '../../registries/inputs.js'
import type { ServerWay } from '../../registries/ways.js'
import { say } from '../../serving/locale.js'
import { plainText } from '../../telemetry/plain-text.js'
import { unguarded } from './guard.js'

/** Asks on the terminal for what a server wants to be given. Undefined when the person leaves. */
export const askInputs = (inputs: readonly AskedInput[], given: InputAnswers): Promise<InputAnswers | undefined> =>
  unguarded(async () => {
    const { confirm, isCancel } = await import('@clack/prompts')
    const open = inputs.filter(({ key }) => !Object.hasOwn(given, key))
    const needed = open.filter(({ isRequired }) => isRequired)
    const others = open.filter(({ isRequired }) => !isRequired)
    let answers: InputAnswers | undefined = given
    for (const input of needed) answers = answers && (await askOne(input, answers))
    if (!answers || others.length === 0) return answers
    const names = others.map(({ name }) => plainText(name)).join(', ')
    const wants = await confirm({
      message: say(`Also set what may be left out? ${names}`, `是否也设置可以省略的项？${names}`),
      initialValue: false,
    })
    if (isCancel(wants)) return undefined
    if (wants) for (const input of others) answers = answers && (await askOne(input, answers))
    return answers
  })

/** Which of several ways; undefined when the person leaves. */
export const askWay = (ways: readonly ServerWay[]): Promise<string | undefined> =>
  unguarded(async () => {
    const { isCancel, select } = await import('@clack/prompts')
    const chosen = await select<string>({
      message: say('How do you want to have it?', '要以哪种方式使用它？'),
      options: ways.map(({ id, label }) => ({ value: id, label: id, hint: plainText(label) })),
    })
    return isCancel(chosen) ? undefined : chosen
  })

const askOne = async (input: AskedInput, answers: InputAnswers): Promise<InputAnswers | undefined> => {
  const { isCancel, password, select, text } = await import('@clack/prompts')
  const about = input.description === undefined ? '' : `: ${plainText(input.description)}`
  const message = `${plainText(input.name)}${about}`
  const validate = (value: string | undefined): string | undefined => {
    if (!value) return input.isRequired && !input.default ? say('It is needed.', '这一项是必需的。') : undefined
    const problem = answerProblem(input, value)
    return problem && say(problem.en, problem.zh)
  }
  const answer = input.isSecret
    ? await password({ message, validate })
    : input.choices
      ? await select<string>({
          message,
          options: input.choices.map((choice) => ({ value: choice, label: plainText(choice) })),
          ...(input.default !== undefined && { initialValue: input.default }),
        })
      : await text({
          message,
          validate,
          placeholder: plainText(input.default ?? input.placeholder ?? ''),
          defaultValue: input.default ?? '',
        })
  if (isCancel(answer)) return undefined
  return answer === '' || answer === undefined ? answers : { ...answers, [input.key]: pathHere(input, answer) }
}

/** A path is meant from where it is typed; the server may run elsewhere. */
export const pathHere = ({ format, default: usual }: AskedInput, text: string): string =>
  format === 'filepath' && text !== usual && !isAbsolute(text) && !/^[~$]/.test(text) ? resolve(text) : text
