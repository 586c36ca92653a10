import { nearest } from '../../config/nearest.js'
import { GatewayError } from '../../errors.js'
import { isErrorAnswer, toText, toToolResult } from '../../model/answer.js'
import { localCaller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { toldHere } from '../../serving/error-words.js'
import { say } from '../../serving/locale.js'
import { type Finding, scanResult } from '../../serving/scanning.js'
import type { BoardView } from '../../serving/view.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { findingLines } from '../terminal/finding-lines.js'
import { isInteractive } from '../terminal/terminal.js'
import { argumentsFor, readTyped } from './call-arguments.js'
import { askForMissing } from './missing-arguments.js'
import { type BoardFlags, isDown, withBoard } from './with-board.js'

export interface CallFlags extends BoardFlags {
  readonly argsJson?: string | undefined
  readonly scan?: boolean | undefined
}

/** `pegboard call <tool> [key=value …]`: one call, its answer on standard output. */
export const call = async (tool: string, words: readonly string[], flags: CallFlags): Promise<void> => {
  const typed = await readTyped(words, flags.argsJson)
  await withBoard(
    flags,
    async ({ gateway }) => {
      const found = gateway.find(tool)
      if (!found) throw (await heldTool(tool, gateway)) ?? unknownTool(tool, gateway)
      const args = argumentsFor(found, typed)
      const whole = isInteractive() && !flags.json ? await askForMissing(found, args) : args
      const outcome = await gateway.call({ tool, args: whole, caller: localCaller })
      if (!outcome.ok) throw withNextStep(outcome.error, found)
      const text = flags.json ? JSON.stringify(toToolResult(outcome.answer), null, 2) : toText(outcome.answer)
      process.stdout.write(`${text}\n`)
      if (flags.scan) tellFindings(scanResult(toToolResult(outcome.answer) as unknown as JsonObject))
      if (isErrorAnswer(outcome.answer))
        throw new CommandFailed(say(`'${tool}' answered with an error.`, `“${tool}”返回了错误。`), exitCodes.toolError)
    },
    { name: tool },
  )
}

/** On standard error: what the tool answered stays as it is. */
const tellFindings = (findings: readonly Finding[]): void => {
  if (findings.length === 0) return
  const lines = [say('To look at before a model reads it:', '在模型读取之前需要留意：'), ...findingLines(findings)]
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** What is wrong with the arguments is said already; what would be right is one look away. */
const withNextStep = (error: GatewayError, tool: Tool): GatewayError =>
  error.code === 'ARGUMENTS_INVALID'
    ? new GatewayError(
        error.code,
        say(
          `${error.message} What it takes: pegboard inspect ${tool.id}`,
          `${toldHere(error)} 它需要的参数：pegboard inspect ${tool.id}`,
        ),
        { cause: error },
      )
    : error

/** Whoever holds it back says why; nothing is run by asking. */
const heldTool = async (word: string, gateway: BoardView['gateway']): Promise<GatewayError | undefined> => {
  if (gateway.catalog.held().length === 0) return undefined
  const outcome = await gateway.call({ tool: word, args: {}, caller: localCaller })
  return !outcome.ok && outcome.error.code === 'TOOL_HELD' ? outcome.error : undefined
}

/** A tool of a source that is down is missing too, and that is the likelier reason. */
const unknownTool = (word: string, gateway: BoardView['gateway']): GatewayError => {
  const guess = nearest(
    word,
    gateway.list().map(({ id }) => id),
  )
  const down = gateway.sources().filter(isDown)
  const words = word.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const next =
    guess !== undefined
      ? say(`Did you mean '${guess}'?`, `是不是“${guess}”？`)
      : down.length > 0
        ? say(
            `The source ${down.map(({ name }) => `'${name}'`).join(', ')} is down: pegboard doctor`,
            `来源 ${down.map(({ name }) => `“${name}”`).join('、')} 未运行：pegboard doctor`,
          )
        : say(`Find it with: pegboard search ${words}`, `搜索：pegboard search ${words}`)
  const typed = word.slice(0, 100)
  return new GatewayError('TOOL_NOT_FOUND', say(`There is no tool '${typed}'. ${next}`, `没有工具“${typed}”。${next}`))
}
