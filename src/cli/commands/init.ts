import { access } from 'node:fs/promises'
import { type FoundServers, findClientFiles } from '../../clients/find.js'
import { configFileOf } from '../../serving/config-file.js'
import { scanImport } from '../../serving/importing/import-scan.js'
import { placeOf } from '../../serving/importing/place.js'
import { count, say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { isInteractive, print } from '../terminal/terminal.js'
import { requireClient } from './client-place.js'
import { connect } from './connect.js'
import { importSources } from './import.js'
import { makeTemplate } from './own-edit.js'

export interface InitFlags extends CommonFlags {
  readonly home?: string | undefined
  readonly yes?: boolean | undefined
  readonly import?: boolean | undefined
  readonly enable?: boolean | undefined
  readonly connect?: readonly string[] | undefined
}

/** `pegboard init`: a configuration, with the servers of other clients if wanted, and clients connected to it. */
export const init = async (flags: InitFlags): Promise<void> => {
  const file = await configFileOf(flags, 'here')
  const isThere = await exists(file)
  const isGuided = isInteractive() && !flags.yes && !flags.json
  if (isThere && !isGuided && !flags.import && !flags.connect)
    throw new CommandFailed(
      say(
        `${file} is there already; it was not changed. Look at it with: pegboard config check. Add to it: pegboard import`,
        `${file} 已经存在，没有改动。检查：pegboard config check。添加来源：pegboard import`,
      ),
      exitCodes.failed,
    )
  // What is asked for is checked before anything is written.
  for (const word of flags.connect ?? []) requireClient(word)
  const plan = isGuided ? await guide(file, isThere, flags) : toPlan(flags)
  if (plan === undefined) return
  if (!isThere) await makeTemplate(file, flags)
  const common = { ...flags, config: file, json: false, quiet: flags.json === true, typed: flags }
  const hasClients = (await findClientFiles(placeOf(flags.home))).length > 0
  if (plan.import !== 'no' && hasClients)
    await importSources([], { ...common, yes: true, enable: plan.import === 'on' })
  for (const client of plan.connect) await connect(client, { ...common, yes: true })
  print(flags, { file, created: !isThere, ...plan }, [
    '',
    isThere ? say(`${file} is ready.`, `${file} 已就绪。`) : say(`Made ${file}.`, `已创建 ${file}。`),
    say('Next:', '下一步：'),
    say('  pegboard doctor    is everything in order?', '  pegboard doctor    检查一切是否正常'),
    say('  pegboard list      what tools are there?', '  pegboard list      查看有哪些工具'),
    say(
      '  pegboard serve     the board for all clients, with its console',
      '  pegboard serve     为所有客户端提供服务，带控制台',
    ),
  ])
}

interface Plan {
  readonly import: 'no' | 'off' | 'on'
  readonly connect: readonly string[]
}

const toPlan = (flags: InitFlags): Plan => ({
  import: flags.enable ? 'on' : flags.import ? 'off' : 'no',
  connect: flags.connect ?? [],
})

/** The same by questions. Undefined when the person leaves. */
const guide = async (file: string, isThere: boolean, flags: InitFlags): Promise<Plan | undefined> => {
  const { intro, outro, select, multiselect, isCancel, note } = await import('@clack/prompts')
  const found = await findClientFiles(placeOf(flags.home))
  intro(
    say('Pegboard: one board for every tool your AI agents use', 'Pegboard：把 AI 智能体用到的全部工具放在一块板上'),
  )
  note(
    describe(found),
    isThere
      ? say(`${file} is there and will be added to`, `${file} 已存在，将向其中添加`)
      : say(`${file} will be made`, `将创建 ${file}`),
  )
  // Those that would be new: one of them may be this program itself, or be here already (U10).
  const servers = (await scanImport(file, found)).fresh.length
  const wanted =
    servers === 0
      ? 'no'
      : await select<'off' | 'on' | 'no'>({
          message: say(
            `Bring ${servers === 1 ? 'this server' : `these ${servers} servers`} onto the board? Their files are only read.`,
            `把这 ${servers} 个服务器导入到板上吗？只读取它们的文件。`,
          ),
          options: [
            {
              value: 'off',
              label: say('Yes, switched off', '导入，暂不启用'),
              hint: say('look at each before it runs', '逐个查看后再启用'),
            },
            {
              value: 'on',
              label: say('Yes, switched on', '导入并启用'),
              hint: say('they run already in their clients', '它们在客户端中已经在运行'),
            },
            { value: 'no', label: say('Not now', '暂不') },
          ],
        })
  if (isCancel(wanted)) return left(outro)
  const choices = [...new Map(found.map(({ client }) => [client.id, client])).values()]
  const connected =
    choices.length === 0
      ? []
      : await multiselect<string>({
          message: say(
            'Which clients shall use the board? A backup is kept; --undo takes it back.',
            '哪些客户端使用这块板？会保留备份；--undo 可撤销。',
          ),
          options: choices.map(({ id, title }) => ({ value: id, label: title })),
          required: false,
        })
  if (isCancel(connected)) return left(outro)
  outro(say('Here we go', '开始'))
  return { import: wanted, connect: connected }
}

const left = (outro: (message: string) => void): undefined => {
  outro(say('Nothing was changed.', '没有任何改动。'))
  return undefined
}

const describe = (found: readonly FoundServers[]): string =>
  found.length === 0
    ? say('No other client was found.', '没有找到其他客户端。')
    : found
        .map(
          ({ client, servers, problem }) =>
            `${client.title}: ${problem ?? say(count(servers.length, 'server'), `${servers.length} 个服务器`)}`,
        )
        .join('\n')

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
