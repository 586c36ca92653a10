import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withServerFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands about voice devices. */
export const addXiaozhiCommands = (program: Command, joined: Join): void => {
  const xiaozhi = program
    .command('xiaozhi')
    .description(say('endpoints of xiaozhi voice devices', '小智语音设备的接入点'))
  withServerFlags(xiaozhi.command('status'))
    .description(say('how the endpoints of the running gateway are', '运行中的网关的接入点状态'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/xiaozhi.js')).status(joined(flags)))
  withServerFlags(xiaozhi.command('test'))
    .description(
      say(
        'run a dialogue through an endpoint, and name the part that fails',
        '通过接入点走一遍完整对话，并指出出错的环节',
      ),
    )
    .argument('[number]', say('which endpoint, as `status` counts them', '第几个接入点，编号同 `status`'), '1')
    .option('--local', say('against a far side on this machine instead', '改为与本机模拟的对端对话'))
    .option(
      '--tool <name>',
      say(
        'the tool to call (default: one that is harmless and needs no arguments)',
        '要调用的工具（默认：选一个无害且不需要参数的）',
      ),
    )
    .option('--args-json <json>', say('its arguments as one JSON object', '用一个 JSON 对象给出它的参数'))
    .option('--wait <ms>', say('how long to wait for the far side', '等待对端的时间（毫秒）'), '20000')
    .option('--json', jsonHelp)
    .action(async (number, flags) => (await import('./commands/xiaozhi.js')).test(number, joined(flags)))
}
