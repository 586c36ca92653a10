import { GatewayError } from '../errors.js'
import { isErrorAnswer, toText, toToolResult } from '../model/answer.js'
import { localCaller } from '../model/caller.js'
import { openBoard } from './board.js'
import { CommandFailed, exitCodes } from './exit.js'
import { type CommonFlags, readConfig } from './flags.js'
import { quietLogger } from './logger.js'

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
    await board.settled()
    const outcome = await board.gateway.call({ tool, args, caller: localCaller })
    if (!outcome.ok) throw outcome.error
    const text = flags.json ? JSON.stringify(toToolResult(outcome.answer), null, 2) : toText(outcome.answer)
    process.stdout.write(`${text}\n`)
    if (isErrorAnswer(outcome.answer)) throw new CommandFailed(`'${tool}' answered with an error.`, exitCodes.toolError)
  } finally {
    await board.close()
  }
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
