import { type BothWords, both } from '../model/both-words.js'
import { isSecretName } from '../telemetry/secret-names.js'
import { short } from './package-names.js'
import { refused } from './refusal.js'
import { type InputFormat, isVariableName, type ServerInput } from './server-json.js'

/** What whoever installs a server is asked for. */
export interface AskedInput {
  /** What an answer is given under: `env.API_KEY`, `arg.--port`, `header.Authorization.token`, `url.tenant`. */
  readonly key: string
  readonly place: InputPlace
  /** What people know it by. */
  readonly name: string
  readonly description: string | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
  readonly isRepeated: boolean
  readonly format: InputFormat
  readonly default: string | undefined
  readonly placeholder: string | undefined
  readonly choices: readonly string[] | undefined
}

/** Where an answer goes: a variable, a word of the package or of its runner, a header, the address. */
export type InputPlace = 'env' | 'arg' | 'runtime' | 'header' | 'url'

/** InputAnswers by the keys of what was asked; several where an argument may be repeated. */
export type InputAnswers = Readonly<Record<string, string | readonly string[]>>

/** How an answer is written into a configuration: as it is, or by a reference where it is a secret. */
export interface AnswerWriter {
  /** Whatever the publisher wrote; never read as a reference. */
  literal(text: string): string
  answer(input: AskedInput, text: string): string
}

/** One input of a package or remote, before anybody answered. */
export interface PlacedInput {
  readonly key: string
  readonly place: InputPlace
  readonly name: string
  readonly input: ServerInput & { readonly isRepeated?: boolean | undefined }
}

/** What is asked for one input: itself, or the variables in what its publisher set. */
export const askedOf = ({ key, place, name, input }: PlacedInput): readonly AskedInput[] => {
  if (input.value === undefined) return [toAsked(key, place, name, input, input.isRepeated ?? false)]
  return variablesIn(input.value, input.variables, name).map((variable) =>
    toAsked(`${key}.${variable}`, place, variable, input.variables![variable]!, false, name),
  )
}

const toAsked = (
  key: string,
  place: InputPlace,
  name: string,
  input: ServerInput,
  isRepeated: boolean,
  above = '',
): AskedInput => ({
  key,
  place,
  name,
  description: input.description,
  isRequired: input.isRequired ?? false,
  // Publishers forget to say it; nobody minds a value that is kept too well.
  isSecret: input.isSecret ?? (isSecretName(name) || (isSecretName(above) && place === 'header')),
  isRepeated,
  format: input.format ?? 'string',
  default: input.default ?? input.value,
  placeholder: input.placeholder,
  choices: input.choices && input.choices.length > 0 ? input.choices : undefined,
})

/** The names in braces, each of which must be declared. */
export const variablesIn = (
  template: string,
  declared: Readonly<Record<string, ServerInput>> | undefined,
  where: string,
): readonly string[] => {
  const names = [...new Set([...template.matchAll(inBraces)].map(([, name]) => name!))]
  const unknown = names.find((name) => declared === undefined || !Object.hasOwn(declared, name))
  if (unknown !== undefined)
    throw refused(
      both(
        `'${short(where)}' holds {${short(unknown)}}, which its entry does not explain.`,
        `“${short(where)}”中有 {${short(unknown)}}，而条目没有说明它。`,
      ),
    )
  return names
}

const inBraces = /\{([A-Za-z_][A-Za-z0-9_.-]{0,127})\}/g

/** What becomes of one input: its texts, none where it is left out; or what is still missing. */
export interface FilledInput {
  readonly values: readonly string[]
  readonly missing: readonly AskedInput[]
}

export const fillInput = (placed: PlacedInput, answers: InputAnswers, writer: AnswerWriter): FilledInput => {
  const { input } = placed
  const asked = askedOf(placed)
  if (input.value === undefined) {
    const [own] = asked as readonly [AskedInput]
    const given = answersTo(own, answers, writer)
    if (given.length > 0 || !own.isRequired) return { values: given, missing: [] }
    return { values: [blank(own)], missing: [own] }
  }
  const isOpen = (each: AskedInput): boolean => answersTo(each, answers, writer).length === 0
  const missing = asked.filter((each) => each.isRequired && isOpen(each))
  const isLeftOut = asked.length > 0 && !input.isRequired && missing.length === 0 && asked.every(isOpen)
  return { values: isLeftOut ? [] : [fillTemplate(input.value, asked, answers, writer)], missing }
}

/** A publisher's text with each name in braces replaced by its answer. */
export const fillTemplate = (
  template: string,
  asked: readonly AskedInput[],
  answers: InputAnswers,
  writer: AnswerWriter,
): string => {
  const byName = new Map(asked.map((each) => [each.name, each]))
  return template
    .split(/(\{[A-Za-z_][A-Za-z0-9_.-]{0,127}\})/)
    .map((part) => {
      const name = part.slice(1, -1)
      const input = part.startsWith('{') && isVariableName(name) ? byName.get(name) : undefined
      if (input === undefined) return writer.literal(part)
      const [given] = answersTo(input, answers, writer)
      return given ?? (input.isRequired ? blank(input) : '')
    })
    .join('')
}

/** What stands for an answer that is still missing. */
export const blank = ({ name }: AskedInput): string => `<${name}>`

/** The answers to an input as they are written; its default where there is none. */
const answersTo = (input: AskedInput, answers: InputAnswers, writer: AnswerWriter): readonly string[] => {
  const given = Object.hasOwn(answers, input.key) ? [answers[input.key]!].flat() : []
  const texts = given.filter((text) => text !== '')
  if (texts.length > 1 && !input.isRepeated)
    throw refused(both(`'${input.name}' takes one value.`, `“${input.name}”只接受一个值。`))
  for (const text of texts) {
    const problem = answerProblem(input, text)
    if (problem) throw refused(problem)
  }
  // A default stays the publisher's own text, also where a form sent it back: it must not name our variables.
  const written = texts.map((text) => (text === input.default ? writer.literal(text) : writer.answer(input, text)))
  return written.length > 0 || !input.default ? written : [writer.literal(input.default)]
}

/** The longest answer that is taken. */
const longest = 16_384

/** Why this is no answer, or undefined. */
export const answerProblem = (input: AskedInput, text: string): BothWords | undefined => {
  const { name, choices, format } = input
  // Never the text itself: it may be a secret.
  if (text.length > longest) return both(`The value of '${name}' is too long.`, `“${name}”的值太长。`)
  if (/[\0\r\n]/.test(text)) return both(`The value of '${name}' must be one line.`, `“${name}”的值必须是一行。`)
  if (isReference(text)) return undefined
  if (choices && !choices.includes(text))
    return both(`'${name}' must be one of ${choices.join(', ')}.`, `“${name}”必须是以下之一：${choices.join('、')}。`)
  if (format === 'number' && !/^-?\d+(?:\.\d+)?$/.test(text))
    return both(`'${name}' must be a number.`, `“${name}”必须是数字。`)
  if (format === 'boolean' && text !== 'true' && text !== 'false')
    return both(`'${name}' must be true or false.`, `“${name}”必须是 true 或 false。`)
  return undefined
}

/** A whole answer that names a variable, a file or a keychain: it is looked up when the configuration is read. */
export const isReference = (text: string): boolean =>
  /^\$\{(?:[A-Za-z_]\w*|(?:env|file|keychain):[^{}$]+)\}$/.test(text)
