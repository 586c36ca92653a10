import type { Keyword } from '../compiler.js'
import { invalid } from '../document.js'
import { refuse, spend, type ValidationRun } from '../run.js'
import { numberParameter } from './parameters.js'

const bound =
  (keyword: string, words: string, holds: (value: number, limit: number) => boolean): Keyword =>
  (parameter, place) => {
    const limit = numberParameter(parameter, place, keyword)
    const message = `must be ${words} ${limit}`
    return (value, run) => typeof value !== 'number' || holds(value, limit) || refuse(run, keyword, message)
  }

export const minimum = bound('minimum', 'at least', (value, limit) => value >= limit)
export const maximum = bound('maximum', 'at most', (value, limit) => value <= limit)
export const exclusiveMinimum = bound('exclusiveMinimum', 'more than', (value, limit) => value > limit)
export const exclusiveMaximum = bound('exclusiveMaximum', 'less than', (value, limit) => value < limit)

export const multipleOf: Keyword = (parameter, place) => {
  const divisor = numberParameter(parameter, place, 'multipleOf')
  if (divisor <= 0) throw invalid(`${place.path}/multipleOf`, 'must be more than 0')
  const message = `must be a multiple of ${divisor}`
  return (value, run) =>
    typeof value !== 'number' || isMultiple(value, divisor, run) || refuse(run, 'multipleOf', message)
}

/** Decides on the decimal numbers people wrote: in binary, 0.0075 is not a multiple of 0.0001. */
const isMultiple = (value: number, divisor: number, run: ValidationRun): boolean => {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  // Numbers of six hundred digits take microseconds to divide.
  spend(run, 16)
  const [left, leftExponent] = decimal(value)
  const [right, rightExponent] = decimal(divisor)
  const exponent = Math.min(leftExponent, rightExponent)
  const scaled = left * 10n ** BigInt(leftExponent - exponent)
  return scaled % (right * 10n ** BigInt(rightExponent - exponent)) === 0n
}

/** The shortest decimal that names this double, as digits and a power of ten. */
const decimal = (value: number): readonly [bigint, number] => {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
