import { compilePattern, type Pattern } from '../../pattern/pattern.js'
import type { Compiler, Keyword } from '../compiler.js'
import { formatTests } from '../formats.js'
import { Exhausted, refuse, spend, type ValidationRun } from '../run.js'
import { countParameter, stringParameter } from './parameters.js'

export const minLength: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'minLength')
  const message = limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
  return (value, run) =>
    typeof value !== 'string' ||
    (value.length >= limit && (value.length >= 2 * limit || codePoints(value, run) >= limit)) ||
    refuse(run, 'minLength', message)
}

export const maxLength: Keyword = (parameter, place) => {
  const limit = countParameter(parameter, place, 'maxLength')
  const message = `must have at most ${limit} characters`
  return (value, run) =>
    typeof value !== 'string' ||
    value.length <= limit ||
    (value.length <= 2 * limit && codePoints(value, run) <= limit) ||
    refuse(run, 'maxLength', message)
}

/** Lengths count characters (code points), not UTF-16 units. */
const codePoints = (text: string, run: ValidationRun): number => {
  if (text.length > 255) spend(run, text.length >> 8)
  let count = text.length
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue
    count -= 1
    i += 1
  }
  return count
}

export const pattern: Keyword = (parameter, place, compiler) => {
  const source = stringParameter(parameter, place, 'pattern')
  const compiled = patternAt(source, `${place.path}/pattern`, compiler)
  const message = `must match the pattern ${source.length > 80 ? `${source.slice(0, 79)}…` : source}`
  return (value, run) =>
    typeof value !== 'string' || patternMatches(compiled, value, run) || refuse(run, 'pattern', message)
}

/** A pattern of the schema, with where it stands for the message should it take too long. */
export const patternAt = (source: string, path: string, compiler: Compiler): Pattern =>
  compilePattern(source, path, compiler.limits)

/** Asks a pattern; one that cannot be judged in time ends the check. */
export const patternMatches = (compiled: Pattern, text: string, run: ValidationRun): boolean => {
  const verdict = compiled.test(text, run)
  spend(run, 1)
  if (verdict !== undefined) return verdict
  throw new Exhausted('time', `could not be checked: the pattern at '${compiled.path}' takes too long on this text`)
}

export const format: Keyword = (parameter, place, compiler) => {
  const name = stringParameter(parameter, place, 'format')
  const test = compiler.limits.formats === 'assert' ? formatTests.get(name) : undefined
  if (test === undefined) return undefined
  const message = `must be a valid ${name}`
  return (value, run) => typeof value !== 'string' || test(value) || refuse(run, 'format', message)
}
