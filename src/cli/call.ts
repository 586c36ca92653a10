import { nearest } from '../config/nearest.js'
import { GatewayError } from '../errors.js'
import type { Gateway } from '../gateway.js'
import { isErrorAnswer, toText, toToolResult } from '../model/answer.js'
import { localCaller } from '../model/caller.js'
import { openBoard } from './board.js'
import { CommandFailed, exitCodes } from './exit.js'
import { type CommonFlags, readConfig } from './flags.js'
import { quietLogger } from './logger.js'
import { askForMissing } from './missing-arguments.js'
import { settledWithProgress } from './progress.js'
import { isInteractive } from './terminal.js'

export interface CallFlags extends CommonFlags {
  readonly argsJson?: string
}

/** `pegboard call <tool> [key=value …]`: one call, its answer on standard output. */
export const call = async (tool: string, pairs: readonly string[], flags: CallFlags): Promise<void> => {
  const args = await readArgs(pairs, flags.argsJson)
  const loaded = await readConfig(flags)
  const logger = quietLogger(loaded, flags, 'warn')
  const board = await openBoard(loaded, { logger, env: process.env, persist: 'never' })
  try {
    await settledWithProgress(board)
    const found = board.gateway.find(tool)
    if (!found) throw unknownTool(tool, board.gateway)
    const whole = isInteractive() && !flags.json ? await askForMissing(found, args) : args
    const outcome = await board.gateway.call({ tool, args: whole, caller: localCaller })
    if (!outcome.ok) throw outcome.error
    const text = flags.json ? JSON.stringify(toToolResult(outcome.answer), null, 2) : toText(outcome.answer)
    process.stdout.write(`${text}\n`)
    if (isErrorAnswer(outcome.answer)) throw new CommandFailed(`'${tool}' answered with an error.`, exitCodes.toolError)
  } finally {
    await board.close()
  }
}

/** A tool of a source that is down is missing too, and that is the likelier reason. */
const unknownTool = (word: string, gateway: Gateway): GatewayError => {
  const guess = nearest(
    word,
    gateway.list().map(({ id }) => id),
  )
  const isHeld = gateway.catalog.held().some(({ id }) => id === word)
  const down = gateway.sources().filter(({ status }) => status.state !== 'ready' && status.state !== 'stopped')
  const next = isHeld
    ? 'It is held back: pegboard lock diff'
    : guess !== undefined
      ? `Did you mean '${guess}'?`
      : down.length > 0
        ? `The source ${down.map(({ name }) => `'${name}'`).join(', ')} is down: pegboard doctor`
        : `Find it with: pegboard search ${word.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()}`
  return new GatewayError('TOOL_NOT_FOUND', `There is no tool '${word.slice(0, 100)}'. ${next}`)
}

/** `a=1` is the number one, `a=x` the text x; JSON as a whole by `--args-json`, `-` reads it from standard input. */
const readArgs = async (pairs: readonly string[], json: string | undefined): Promise<Record<string, unknown>> => {
  const whole = json === undefined ? {} : parseObject(json === '-' ? await readInput() : json)
  const named = pairs.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1)
      throw new GatewayError('ARGUMENTS_INVALID', `'${pair}' is not key=value. Write for example city=Oslo days=3.`)
    return [pair.slice(0, at), parseValue(pair.slice(at + 1))] as const
  })
  return { ...whole, ...Object.fromEntries(named) }
}

const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const parseObject = (text: string): Record<string, unknown> => {
  const value = parseValue(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new GatewayError('ARGUMENTS_INVALID', 'The arguments must be one JSON object, such as {"city":"Oslo"}.')
}

const readInput = async (): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
