import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withServerFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

/** The commands that make the gateway stay. */
export const addServiceCommands = (program: Command, joined: Join): void => {
  const service = program
    .command('service')
    .description(say('keep the gateway running, also after a restart of the machine', '让网关一直运行，机器重启后也是'))
  withPlace(withServerFlags(service.command('install')))
    .description(say('install it as a service, and start it', '安装为服务并启动'))
    .option(
      '--env <names...>',
      say(
        'variables of this shell that it is given, kept in a file of its own',
        '把当前 shell 的这些变量交给它，存入单独的文件',
      ),
    )
    .option(
      '--run-as <user>',
      say(
        'with --system: who it runs as (default: who used sudo, else nobody)',
        '与 --system 同用：以谁的身份运行（默认：使用 sudo 的用户）',
      ),
    )
    .option(
      '--no-hardening',
      say(
        'leave out what restricts it, where a source needs sudo or rootless podman',
        '不加限制，用于来源需要 sudo 或无根 podman 时',
      ),
    )
    .option('--yes', say('write a change without asking', '有变化时不询问直接写入'))
    .option('--dry-run', say('only print what would be written', '只显示会写入什么'))
    .action(async (flags) => (await import('./commands/service.js')).installService(joined(flags)))
  withPlace(service.command('status'))
    .description(say('whether it is installed, runs, and where it listens', '是否已安装、是否在运行、监听在哪里'))
    .action(async (flags) => (await import('./commands/service/status.js')).serviceStatus(joined(flags)))
  withPlace(service.command('logs'))
    .description(say('what it wrote, as the system kept it', '系统保存的服务输出'))
    .option('-f, --follow', say('go on with what comes', '持续显示新的日志'))
    .option('-n, --lines <number>', say('how many at most', '最多多少条'), '50')
    .action(async (flags) => (await import('./commands/service.js')).serviceLogs(joined(flags)))
  for (const [verb, what] of [
    ['start', say('start it', '启动')],
    ['stop', say('stop it until the next start', '停止，直到下次启动')],
    ['restart', say('end it and start it again', '重新启动')],
  ] as const)
    withPlace(service.command(verb))
      .description(what)
      .action(async (flags) => (await import('./commands/service.js')).actOnService(verb, joined(flags)))
  withPlace(service.command('uninstall'))
    .description(say('stop it, and remove what install wrote', '停止并删除安装时写入的内容'))
    .option('--yes', say('also where it was edited since', '即使之后被改过'))
    .action(async (flags) => (await import('./commands/service.js')).uninstallService(joined(flags)))

  program
    .command('upgrade')
    .description(
      say(
        'whether there is a newer version, and the command that brings it; nothing is upgraded by itself',
        '是否有更新的版本，以及升级命令；不会自动升级',
      ),
    )
    .option('--check', say('only look, which is all it does', '只检查（本命令只做这件事）'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/upgrade.js')).upgrade(joined(flags)))
}

const withPlace = (command: Command): Command =>
  command
    .option('--system', say('for the machine instead of for you', '为整台机器而不是为自己'))
    .option('--name <name>', say('what it is called', '服务名称'), 'pegboard')
    .option('--json', jsonHelp)
