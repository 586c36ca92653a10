import { type Command, Option } from 'commander'
import { splits } from '../history/query.js'
import { say } from '../serving/locale.js'

/** `pegboard calls` and `pegboard stats`: which calls there were, and in figures. */
export const addHistoryCommands = (
  program: Command,
  joined: <Flags extends object>(flags: Flags) => Flags,
  withAdminFlags: (command: Command) => Command,
): void => {
  filtered(withAdminFlags(program.command('stats')))
    .description(
      say(
        'how the running gateway is doing; with --since or --by, calls in figures from the history',
        '运行中的网关的概况；带 --since 或 --by 时为历史调用的统计',
      ),
    )
    .addOption(new Option('--by <what>', say('one line for each', '按此分组')).choices(splits))
    .action(async (flags) => (await import('./commands/stats.js')).stats(joined(flags)))

  const calls = program
    .command('calls')
    .description(say('the calls of the last days: who, by what, how long, and how they ended', '最近几天的调用记录'))
  filtered(withAdminFlags(calls.command('list', { isDefault: true })))
    .description(say('calls that are kept, newest last', '列出保存的调用，最新的在最后'))
    .option('-n, --limit <number>', say('how many at most', '最多多少条'), '50')
    .option('--csv', say('as a table for spreadsheets', '以表格（CSV）输出'))
    .option('-f, --follow', say('go on with what comes', '持续显示新的调用'))
    .action(async (flags) => (await import('./commands/calls.js')).listCalls(joined(flags)))
  withAdminFlags(calls.command('show'))
    .description(say('all that is kept of one call', '一次调用的全部记录'))
    .argument('<id>', say('its id, as the list shows it', '调用编号，见列表'))
    .action(async (id, flags) => (await import('./commands/calls.js')).showCall(id, joined(flags)))
  withAdminFlags(calls.command('replay'))
    .description(
      say(
        'make calls again whose arguments were kept, and compare the results',
        '重新执行保存了参数的调用，并比较结果',
      ),
    )
    .argument('<ids...>', say('their ids', '调用编号'))
    .option('-y, --yes', say('those too of which nobody says that they only read', '也包括未声明只读的工具'))
    .action(async (ids, flags) => (await import('./commands/replay.js')).replayCalls(ids, joined(flags)))
  filtered(withAdminFlags(calls.command('export')))
    .description(say('write calls to standard output, newest first', '把调用写到标准输出，最新的在前'))
    .option('--format <format>', say('jsonl or csv', 'jsonl 或 csv'), 'jsonl')
    .action(async (flags) => (await import('./commands/calls.js')).exportCalls(joined(flags)))
}

const filtered = (command: Command): Command =>
  command
    .option(
      '--since <time>',
      say('not before: 2026-11-16T08:00Z, or 30m, 24h, 7d ago', '起始时间，或多久以前：30m、24h、7d'),
    )
    .option('--until <time>', say('before: the same', '截止时间，写法相同'))
    .option('--tool <id>', say('of this tool', '该工具的'))
    .option('--source <name>', say('of this source', '该来源的'))
    .option('--client <name>', say('by this program', '该客户端程序的'))
    .option('--caller <who>', say('by this id or name', '该编号或名称的调用方'))
    .option('--profile <name>', say('through this profile', '该配置档的'))
    .option('--code <code>', say('that ended with this code', '以此错误码结束的'))
    .option('--run <id>', say('of this script and the calls in it', '该脚本及其中的调用'))
    .option('--text <words>', say('with this in a name or in the message', '名称或消息中包含该文字'))
    .option('--failed', say('only what failed', '只看失败的'))
