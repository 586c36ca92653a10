import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withBoardFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** What a model wrote over tools, for people who try it. */
export const addScriptCommands = (program: Command, joined: Join): void => {
  const script = program.command('script').description(say('scripts over tools', '跨工具脚本'))
  withBoardFlags(script.command('run'))
    .description(say('run a script over the tools, as run_script does', '像 run_script 一样运行一段调用工具的脚本'))
    .argument('[file]', say('its file, or - for standard input', '脚本文件，或用 - 从标准输入读取'))
    .option('--input <json>', say('data for the script, there as input', '脚本的数据，在脚本中为 input'))
    .option('--resume <run>', say('go on with a paused run instead', '改为继续已暂停的运行'))
    .option('--json', jsonHelp)
    .action(async (file, flags) => (await import('./commands/script.js')).runScript(file, joined(flags)))
}
