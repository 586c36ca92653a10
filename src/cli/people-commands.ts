import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withConfigFlags } from './flags.js'

/** `pegboard people …`: who signed in, and the end of it. */
export const addPeopleCommands = (program: Command, joined: <Flags extends object>(flags: Flags) => Flags): void => {
  const people = program
    .command('people')
    .description(say('people who signed in, and the end of what they have', '登录过的人员，以及结束其拥有的一切'))

  withConfigFlags(people.command('list', { isDefault: true }))
    .description(say('list who was here, last seen first', '列出来访过的人员，最近的在前'))
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/people.js')).listPeople(joined(flags)))

  withConfigFlags(people.command('show'))
    .description(say('one of them: groups, sessions, keys', '其中一人：用户组、会话、密钥'))
    .argument('<who>', whoHelp)
    .option('--json', jsonHelp)
    .action(async (who, flags) => (await import('./commands/people.js')).showPerson(who, joined(flags)))

  withConfigFlags(people.command('end'))
    .description(
      say(
        'end all they have: sessions, keys they own, credentials; running gateways follow within a second',
        '结束其一切：会话、名下密钥、凭据；运行中的网关一秒内生效',
      ),
    )
    .argument('<who>', whoHelp)
    .option('--json', jsonHelp)
    .action(async (who, flags) => (await import('./commands/people.js')).endPerson(who, joined(flags)))
}

const whoHelp = say('their id, verified address or name', '其 id、已验证的邮箱或名字')
