import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'
import { auditKinds, auditOutcomes } from '../telemetry/audit-entry.js'
import { jsonHelp, withConfigFlags } from './flags.js'

/** `pegboard audit`: who did what, whether the trail is whole, and a copy of it. */
export const addAuditCommands = (program: Command, joined: <Flags extends object>(flags: Flags) => Flags): void => {
  const audit = program
    .command('audit')
    .description(
      say('who did what: the trail of calls and deeds in the data folder', '谁做了什么：数据目录中的审计记录'),
    )

  filtered(audit.command('list', { isDefault: true }))
    .description(say('lines of the trail, newest last', '列出审计记录，最新的在最后'))
    .option('-n, --limit <number>', say('how many at most', '最多多少条'), '50')
    .option('-f, --follow', say('go on with what comes', '持续显示新的记录'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/audit.js')).listAudit(joined(flags)))

  withConfigFlags(audit.command('verify'))
    .description(
      say(
        'check that no line was changed, taken out or moved; names the first that was',
        '检查是否有记录被修改、删除或移动；指出第一处',
      ),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/audit.js')).verifyAudit(joined(flags)))

  filtered(audit.command('export'))
    .description(say('write the lines to standard output, oldest first', '把记录写到标准输出，最早的在前'))
    .option('--format <format>', say('jsonl or csv', 'jsonl 或 csv'), 'jsonl')
    .option('--json', say('the same as --format jsonl', '等同于 --format jsonl'))
    .action(async (flags) => (await import('./commands/audit.js')).exportAudit(joined(flags)))
}

const filtered = (command: Command): Command =>
  withConfigFlags(command)
    .option('--person <who>', say('by this id, or with this in their name', '该 id，或姓名中包含该文字'))
    .option(
      '--tool <id>',
      say('done to this: a tool, a key …; * at its end is anything', '对象：工具、密钥等；末尾可用 *'),
    )
    .addOption(new Option('--kind <kind>', say('of this kind', '类别')).choices(auditKinds))
    .addOption(new Option('--outcome <outcome>', say('that ended so', '结果')).choices(auditOutcomes))
    .option('--run <id>', say('of this script and the calls in it', '该脚本及其中的调用'))
    .option(
      '--since <time>',
      say('not before: 2026-11-16T08:00Z, or 30m, 24h, 7d ago', '起始时间，或多久以前：30m、24h、7d'),
    )
    .option('--until <time>', say('before: the same', '截止时间，写法相同'))
