import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { GatewayError, messageOf } from '../../errors.js'
import { toText } from '../../model/answer.js'
import { localCaller } from '../../model/caller.js'
import type { JsonObject, JsonValue } from '../../model/json.js'
import { say } from '../../serving/locale.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { toldReason } from '../terminal/source-words.js'
import { type BoardFlags, withBoard } from './with-board.js'

export interface ScriptFlags extends BoardFlags {
  readonly input?: string | undefined
  readonly resume?: string | undefined
}

/** `pegboard script run <file>`: what a model wrote, tried by a person; through the gateway that runs, if one does. */
export const runScript = async (file: string | undefined, flags: ScriptFlags): Promise<void> => {
  const script = flags.resume === undefined ? await scriptIn(file) : undefined
  const input = flags.input === undefined ? undefined : parseInput(flags.input)
  const args = JSON.parse(JSON.stringify({ script, input, resume: flags.resume })) as JsonObject
  await withBoard(flags, async ({ gateway }) => {
    const outcome = await gateway.call({ tool: 'run_script', args, caller: localCaller })
    if (!outcome.ok) throw outcome.error.code === 'TOOL_NOT_FOUND' ? switchedOff() : outcome.error
    const told = JSON.parse(toText(outcome.answer)) as {
      readonly result?: JsonValue | undefined
      readonly logs?: readonly string[] | undefined
    }
    for (const line of told.logs ?? []) process.stderr.write(`${line}\n`)
    const shown = flags.json || !('result' in told) ? told : told.result
    process.stdout.write(`${typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)}\n`)
  })
}

const scriptIn = async (file: string | undefined): Promise<string> => {
  if (file === undefined)
    throw new CommandFailed(
      say('Name the file of the script, or - for standard input.', '请给出脚本文件，或用 - 从标准输入读取。'),
      exitCodes.failed,
    )
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandFailed(
      say(`The script cannot be read: ${messageOf(error)}`, `无法读取脚本：${toldReason(messageOf(error))}`),
      exitCodes.failed,
    )
  }
}

const parseInput = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new CommandFailed(
      say(`--input is no JSON: ${messageOf(error)}`, `--input 不是 JSON：${messageOf(error)}`),
      exitCodes.failed,
    )
  }
}

const switchedOff = (): GatewayError =>
  new GatewayError(
    'ACCESS_DENIED',
    say(
      'Scripts are not switched on: write scripts: { enabled: true } and, in the default profile, scripts: true.',
      '脚本未启用：请写上 scripts: { enabled: true }，并在 default 配置档中写 scripts: true。',
    ),
  )
