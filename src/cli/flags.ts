import { type Command, Option } from 'commander'
import { toFlag } from '../config/layers.js'
import { type Flag, settingsIn, type Table } from '../config/settings/setting.js'
import { settings } from '../config/settings/table.js'
import { say } from '../serving/locale.js'

const configuration = say('Configuration:', '配置：')
const serving = say('Server:', '服务：')

/** What `--json` is for, in every help alike. */
export const onlineHelp = say('also ask the issuers that it names', '同时询问其中的签发者')
export const jsonHelp = say('machine-readable output', '以 JSON 输出，供程序读取')

/** Options that many commands share, in the order in which a help shows them, behind the command's own. */
export const sharedGroups: readonly string[] = [configuration, serving]

const shared = (group: string, flags: string, description: string, choices?: readonly string[]): Option => {
  const option = new Option(flags, description).helpGroup(group)
  // A word like any other: `--no-overlay` says something, and nothing is said where it is not written.
  option.negate = false
  return choices === undefined ? option : option.choices(choices)
}

/** The flags of the settings that such commands have. */
export const settingOptions = (on: Flag['on'], table: Table = settings): readonly Option[] =>
  settingsIn(table).flatMap(({ flag, kind }) => {
    if (flag?.on !== on) return []
    const typed = flag.value === undefined ? toFlag(flag.name) : `${toFlag(flag.name)} <${flag.value}>`
    return [shared(on === 'configured' ? configuration : serving, typed, say(...flag.help), kind.choices)]
  })

const withAll = (command: Command, options: readonly Option[]): Command =>
  options.reduce((to, option) => to.addOption(option), command)

export const withConfigFlags = (command: Command): Command =>
  withAll(command, [
    shared(
      configuration,
      '-c, --config <file>',
      say(
        'configuration file (default: pegboard.json, .jsonc, .yaml or .yml here, then your own)',
        '配置文件（默认：当前文件夹的 pegboard.json、.jsonc、.yaml 或 .yml，其次是你自己的）',
      ),
    ),
    ...settingOptions('configured'),
  ])

/** How models search a board that is served, and how long its first list may wait. */
export const withSearchFlag = (command: Command): Command => withAll(command, settingOptions('served'))

const alone = () =>
  shared(
    serving,
    '--alone',
    say(
      'start what is needed here, also where a gateway runs with this configuration',
      '即使已有使用此配置的网关在运行，也在本进程内启动所需的来源',
    ),
  )

/** For commands that ask the gateway where one runs, and else start what they need. */
export const withBoardFlags = (command: Command): Command =>
  withConfigFlags(command)
    .addOption(
      shared(
        serving,
        '--port <number>',
        say('the port of the running gateway (default: where it says it is)', '正在运行的网关的端口（默认：自动查找）'),
      ),
    )
    .addOption(alone())

/** The same for one that has the server's options anyway. */
export const withAloneFlag = (command: Command): Command => command.addOption(alone())

/** Whether `stdio` joins a running gateway, starts a shared one, or serves by itself. */
export const withShareFlags = (command: Command): Command =>
  withAll(command, [
    shared(
      serving,
      '--alone',
      say(
        'serve in this process, also where a gateway runs with this configuration',
        '即使已有使用此配置的网关在运行，也由本进程提供服务',
      ),
    ),
    ...settingOptions('shared'),
  ])

export const withServerFlags = (command: Command): Command =>
  withAll(withSearchFlag(withConfigFlags(command)), settingOptions('listening'))
