import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withServerFlags } from './flags.js'
import { addHistoryCommands } from './history-commands.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands that ask a running gateway. */
export const addRunningCommands = (program: Command, joined: Join): void => {
  withAdminFlags(program.command('restart'))
    .description(say('end sources of the running gateway and start them again', '重启运行中的网关的来源'))
    .argument('<names...>', say('the source, or several', '来源名称，可以有多个'))
    .action(async (names, flags) => (await import('./commands/restart.js')).restart(names, joined(flags)))

  withAdminFlags(program.command('logs'))
    .description(say("the newest lines of the running gateway's log", '运行中的网关的最新日志'))
    .argument('[source]', say('only what concerns this source', '只看与该来源有关的'))
    .option('-f, --follow', say('go on with what comes', '持续显示新的日志'))
    .option('-n, --lines <number>', say('how many at most', '最多多少条'), '50')
    .action(async (source, flags) => (await import('./commands/logs.js')).logs(source, joined(flags)))

  addHistoryCommands(program, joined, withAdminFlags)

  // `parked` was its name, which sources in another state have too.
  withAdminFlags(program.command('waiting').alias('parked'))
    .description(say('calls that wait until their callers answer a question', '正在等待调用方回答问题的调用'))
    .option('--cancel <id>', say('end this one', '结束这一个'))
    .action(async (flags) => (await import('./commands/parked.js')).parked(joined(flags)))

  const fleet = program
    .command('fleet')
    .description(
      say(
        'the replicas on this database, and which of them runs what runs only once',
        '共用此数据库的副本，以及只运行一份的内容由谁运行',
      ),
    )
  withAdminFlags(fleet.command('list', { isDefault: true }))
    .description(say('replicas with state, version, address and age; leases with holder and epoch', '列出副本与租约'))
    .action(async (flags) => (await import('./commands/fleet.js')).fleet(joined(flags)))
  withAdminFlags(fleet.command('release'))
    .description(
      say('take a lease from its holder, so that another replica goes on with it', '收回租约，让另一个副本接手'),
    )
    .argument('<name>', say('the lease, or the source that runs under it', '租约名称，或其来源的名称'))
    .action(async (name, flags) => (await import('./commands/fleet.js')).releaseLease(name, joined(flags)))

  const approvals = program
    .command('approvals')
    .description(
      say(
        'tools that changed since somebody looked at them, and are held back; decide about them',
        '查看并决定：哪些工具在批准之后有变化而被扣留',
      ),
    )
  const decidable = (command: Command): Command =>
    withAdminFlags(command).option('--source <name>', say('those of this source', '该来源的'))
  decidable(approvals.command('list', { isDefault: true }))
    .description(say('what is held back', '列出被扣留的工具'))
    .action(async (flags) => (await import('./commands/approvals.js')).listApprovals(joined(flags)))
  decidable(approvals.command('show'))
    .description(say('what was approved beside what is there now', '批准时的定义与现在的定义对比'))
    .argument('[tool]', say('its id; default: all', '工具的 id；默认全部'))
    .action(async (tool, flags) => (await import('./commands/approvals.js')).showApprovals(tool, joined(flags)))
  decidable(approvals.command('approve'))
    .description(say('take tools as they are now', '接受这些工具的现状'))
    .argument('[tools...]', say('their ids', '工具的 id'))
    .option('--all', say('all that are held back', '所有被扣留的'))
    .action(async (tools, flags) =>
      (await import('./commands/approvals.js')).decideApprovals('approve', tools, joined(flags)),
    )
  decidable(approvals.command('reject'))
    .description(
      say('leave them held back, and do not ask again until they change once more', '继续扣留，在再次变化之前不再询问'),
    )
    .argument('[tools...]', say('their ids', '工具的 id'))
    .option('--all', say('all that wait for a decision', '所有等待决定的'))
    .action(async (tools, flags) =>
      (await import('./commands/approvals.js')).decideApprovals('reject', tools, joined(flags)),
    )

  withAdminFlags(approvals.command('calls'))
    .description(
      say(
        'calls that a rule asks about: what waits until somebody says yes, with exactly what it would send',
        '规则要求批准的调用：哪些在等待批准，以及将要发送的确切内容',
      ),
    )
    .option('--all', say('those that were answered as well', '包括已答复的'))
    .action(async (flags) => (await import('./commands/answer-call.js')).listCalls(joined(flags)))

  decidable(approvals.command('effect'))
    .description(
      say(
        'say that a tool changes nothing as it is defined now, so that readers may call it; without arguments, who says so of which',
        '认定工具按当前定义不修改任何东西，使 reader 可以调用；不带参数时列出已有的认定',
      ),
    )
    .argument('[tool]', say('its id', '工具的 id'))
    .argument('[effect]', say('readonly, or none to take it back', 'readonly，或用 none 撤回'))
    .action(async (tool, effect, flags) =>
      (await import('./commands/effects.js')).toolEffect(tool, effect, joined(flags)),
    )

  withAdminFlags(program.command('approve'))
    .description(
      say(
        'say yes to one call that waits, or to all of a script (see: pegboard approvals calls)',
        '批准一次等待中的调用，或一个脚本的全部调用（见：pegboard approvals calls）',
      ),
    )
    .argument(
      '<id>',
      say(
        'the request, or the run of a script (r_…), or how its id begins',
        '申请的编号，或脚本运行的编号（r_…），或其开头',
      ),
    )
    .option(
      '--for <time>',
      say(
        'for so long instead of once, such as 10m, where the rule allows that',
        '在这段时间内有效，如 10m（规则允许时）；默认一次',
      ),
    )
    .option('--note <text>', say('for the records', '备注'))
    .action(async (id, flags) => (await import('./commands/answer-call.js')).answerCall('approve', id, joined(flags)))
  withAdminFlags(program.command('deny'))
    .description(
      say(
        'say no to one call that waits, or to all of a script; or take back a yes that was not used yet',
        '拒绝一次等待中的调用，或一个脚本的全部调用；或收回尚未使用的批准',
      ),
    )
    .argument(
      '<id>',
      say(
        'the request, or the run of a script (r_…), or how its id begins',
        '申请的编号，或脚本运行的编号（r_…），或其开头',
      ),
    )
    .option('--note <text>', say('told to whoever asked', '告知申请者的原因'))
    .action(async (id, flags) => (await import('./commands/answer-call.js')).answerCall('deny', id, joined(flags)))

  withAdminFlags(program.command('auth'))
    .description(
      say(
        'sign in at a remote server, in a browser; without a name, how the sources are signed in',
        '在浏览器中登录远程服务器；不带名称时显示各来源的登录状态',
      ),
    )
    .argument('[source]', say('the source that wants a sign-in', '需要登录的来源'))
    .option('--sign-out', say('forget the sign-in of this source', '删除该来源的登录信息'))
    .action(async (source, flags) => (await import('./commands/auth.js')).auth(source, joined(flags)))

  withAdminFlags(program.command('top'))
    .description(say('which tools are called, how often and how fast; live', '实时显示哪些工具被调用、频率与耗时'))
    .option('--once', say('one look instead of a live one', '只看一次，不持续刷新'))
    .action(async (flags) => (await import('./commands/top.js')).top(joined(flags)))
}

const withAdminFlags = (command: Command): Command =>
  withServerFlags(command)
    .option(
      '--key <key>',
      say(
        'the admin key (better: PEGBOARD_ADMIN_KEY; default: admin.key in the data folder)',
        '管理密钥（更好：PEGBOARD_ADMIN_KEY；默认：数据目录中的 admin.key）',
      ),
    )
    .option('--json', jsonHelp)
