import { Command, Option } from 'commander'
import { systemClock } from '../model/clock.js'
import { say } from '../serving/locale.js'
import type { CommonFlags } from '../serving/read-config.js'
import { version } from '../serving/version.js'
import { addAuditCommands } from './audit-commands.js'
import { addBundleCommands, withBundleFlags } from './bundle-commands.js'
import { addClientCommands, addCompletion, addDoctor, addInit } from './client-commands.js'
import { collectAtRest } from './collect-at-rest.js'
import type { ServeFlags } from './commands/serve.js'
import type { StdioFlags } from './commands/stdio.js'
import { addConfigCommands } from './config-commands.js'
import { addEventCommands } from './event-commands.js'
import {
  jsonHelp,
  onlineHelp,
  withBoardFlags,
  withConfigFlags,
  withSearchFlag,
  withServerFlags,
  withShareFlags,
} from './flags.js'
import { addKeyCommands } from './key-commands.js'
import { addLookCommands } from './look-commands.js'
import { addPeopleCommands } from './people-commands.js'
import { addPublishCommands } from './publish-commands.js'
import { addRegistryCommands, withRegistryFlags } from './registry-commands.js'
import { addRunningCommands } from './running-commands.js'
import { addScriptCommands } from './script-commands.js'
import { addServiceCommands } from './service-commands.js'
import { addStorageCommands } from './storage-commands.js'
import { completeHelp, helpWords, howUsed } from './terminal/help.js'
import { warnOfSecrets } from './terminal/secret-flags.js'
import { unknownCommand, usageError } from './terminal/usage.js'
import { addXiaozhiCommands } from './xiaozhi-commands.js'
import { holdYoungGeneration } from './young-generation.js'

// Commands are imported when they run: `--help` must not pay for a gateway.
/** Everything that can be typed. Also what the reference in docs/cli.md and the shell completions are made from. */
export const program = new Command('pegboard')
  .description(say('One board for every tool your AI agents use.', '把 AI 智能体用到的全部工具放在一块板上。'))
  .version(version, '-V, --version', say('output the version number', '显示版本号'))
  .helpOption('-h, --help', say('display help for command', '显示帮助'))
  .configureHelp(helpWords())
  .showSuggestionAfterError()
  .configureOutput({ outputError: usageError })
  // Without it, an option that the program knows too never reaches the command behind which it was written.
  .enablePositionalOptions()
  .hook('preAction', (_, command) => warnOfSecrets(command))

/** An option may stand before or behind the command; behind it, it is meant for it. */
const joined = <Flags extends object>(flags: Flags): Flags => ({ ...program.opts<Partial<Flags>>(), ...flags })

/** What a start takes of memory is kept small while it lasts; what it and later work leave behind is given back at rest. */
const watchMemory = (): (() => void) => {
  const release = holdYoungGeneration(systemClock)
  return () => {
    release()
    collectAtRest(systemClock)
  }
}

const serve = async (flags: ServeFlags): Promise<void> => {
  const onSettled = watchMemory()
  return (await import('./commands/serve.js')).serve(flags, onSettled)
}

const stdio = async (flags: StdioFlags): Promise<void> => {
  const onSettled = watchMemory()
  return (await import('./commands/stdio.js')).stdio(flags, onSettled)
}

/** What starts nothing of a file, or never one of the working folder: nobody has to be asked about it. */
const asksNothing: ReadonlySet<string> = new Set(
  'pegboard stdio check config trust init add remove enable disable import registry completion help doctor upgrade'.split(
    ' ',
  ),
)

// Before the command, so that there is one question and one place for it; the lock is where configurations are read.
program.hook('preAction', async (_program, command) => {
  const [top] = pathOf(command)
  if (!process.stdin.isTTY || top === undefined || asksNothing.has(top)) return
  await (await import('./commands/trust.js')).askFirst(joined(command.opts()))
})

const pathOf = (command: Command): readonly string[] =>
  command.parent === null || command === program ? [] : [...pathOf(command.parent), command.name()]

withServerFlags(program)
  .option('--json', jsonHelp)
  .action(async (flags: CommonFlags) => {
    if (program.args.length > 0) throw unknownCommand(program.args[0]!, program)
    // At a terminal without any of these nothing is read: an explanation must not fail on somebody's file.
    const isTold = flags.transport ?? process.env.PEGBOARD_TRANSPORT ?? process.env.REGISTRYTOOLS_TRANSPORT
    // In a pipe somebody else chose the folder: no file of it counts (S1).
    const own = process.stdin.isTTY ? flags : { ...flags, here: false }
    const reads = isTold !== undefined || flags.config !== undefined || !process.stdin.isTTY
    const transport = reads ? await (await import('../serving/running/place.js')).transportOf(own) : undefined
    if (transport === 'http') return serve(own)
    // A client that starts us speaks over a pipe; a person at a terminal wants to know what this is.
    if (transport === 'stdio' || !process.stdin.isTTY) return stdio(flags)
    return (await import('./terminal/explain.js')).explain(program)
  })

program.commandsGroup(say('Begin:', '开始：'))
addInit(program, joined)
addClientCommands(program, joined)
addDoctor(program, joined)

program.commandsGroup(say('Serve:', '提供服务：'))
withServerFlags(program.command('serve'))
  .description(
    say(
      'serve all tools over HTTP: MCP at /mcp, in both protocol eras',
      '通过 HTTP 提供全部工具：MCP 地址为 /mcp，新旧两代协议都支持',
    ),
  )
  .option('--json', say('no greeting', '不显示启动说明'))
  // What `stdio` starts where clients share one gateway.
  .addOption(
    new Option(
      '--shared',
      say('end when the last client over stdio has left', '最后一个 stdio 客户端离开后结束'),
    ).hideHelp(),
  )
  .action(async (own: ServeFlags) => {
    const flags = joined(own)
    if (flags.transport === 'stdio') return stdio(flags)
    return serve(flags)
  })

withShareFlags(withSearchFlag(withConfigFlags(program.command('stdio'))))
  .description(
    say(
      'serve all tools over standard input and output, as the child process of a client',
      '作为客户端的子进程，通过标准输入输出提供全部工具',
    ),
  )
  .option('--profile <name>', say('the profile to serve', '要提供的配置档（profile）'), 'default')
  .action(async (flags) => stdio(joined(flags)))

program.commandsGroup(say('Use tools:', '使用工具：'))
withBoardFlags(program.command('list'))
  .description(say('list the tools of all sources', '列出所有来源的工具'))
  .option('--sources', say('list the sources and their states instead', '改为列出来源及其状态'))
  .option('--wide', say('whole descriptions, however long', '完整显示说明，不截断'))
  .option('--json', jsonHelp)
  .action(async (flags) => (await import('./commands/list.js')).list(joined(flags)))

withBoardFlags(program.command('call'))
  .description(say('call a tool', '调用一个工具'))
  .argument('<tool>', say('its id, such as calc.add', '工具的 id，例如 calc.add'))
  .argument(
    '[arguments...]',
    say(
      'key=value; text where the tool takes text, else JSON where it is JSON',
      'key=value；工具要文本时按文本，否则能解析为 JSON 的按 JSON',
    ),
  )
  .option(
    '--args-json <json>',
    say(
      'all arguments as one JSON object; - reads it from standard input',
      '用一个 JSON 对象给出全部参数；- 表示从标准输入读取',
    ),
  )
  .option(
    '--scan',
    say('say on standard error what is worth a look in the answer', '在标准错误中指出回答里值得留意的内容'),
  )
  .option('--json', jsonHelp)
  .action(async (tool, pairs, flags) => (await import('./commands/call.js')).call(tool, pairs, joined(flags)))

addScriptCommands(program, joined)
addEventCommands(program, joined)

withBoardFlags(program.command('search'))
  .description(say('find tools by words, in English or Chinese', '按描述查找工具，中英文均可'))
  .argument('<words...>', say('what the tool should do', '工具应当做什么'))
  .option('--method <name>', say('auto, bm25, regex or embedding', 'auto、bm25、regex 或 embedding'))
  .option('--limit <number>', say('how many at most', '最多多少条'), '10')
  .option('--wide', say('whole descriptions, however long', '完整显示说明，不截断'))
  .option('--json', jsonHelp)
  .action(async (words, flags) => (await import('./commands/look.js')).search(words, joined(flags)))

withBoardFlags(program.command('inspect'))
  .description(say('all that is known of a tool or a source', '查看一个工具或来源的全部信息'))
  .argument('<name>', say('a tool id or a source name', '工具 id 或来源名称'))
  .option('--json', jsonHelp)
  .action(async (name, flags) => (await import('./commands/inspect.js')).inspect(name, joined(flags)))

program.commandsGroup(say('Change sources:', '管理来源：'))
withBundleFlags(withRegistryFlags(withConfigFlags(program.command('add'))))
  .description(
    say(
      'add a source: a command after --, a URL, an OpenAPI document, an .mcpb bundle, or a server of a registry by its name',
      '添加来源：-- 后跟命令，或 URL、OpenAPI 文档、.mcpb 包，或注册表中的服务器名称',
    ),
  )
  .argument('<name>', say('what to call it, or an .mcpb bundle', '给它起的名称，或 .mcpb 包'))
  .argument(
    '[command-or-url...]',
    say(
      'a URL, the path or URL of an OpenAPI document, or -- and the command with its arguments; nothing for a name of a registry',
      'URL、OpenAPI 文档的路径或 URL，或者 -- 后跟命令及其参数；注册表中的名称后不写',
    ),
  )
  .option('-e, --env <NAME=value...>', say('variables for the command', '传给命令的环境变量'))
  .option('-H, --header <Name:value...>', say('headers for the URL', '请求该 URL 时附带的请求头'))
  .option('--cwd <folder>', say('where to run the command', '命令的工作目录'))
  .option(
    '--namespace <name>',
    say('before the names of its tools (default: the name)', '工具名的前缀（默认：来源名称）'),
  )
  .option(
    '--type <name>',
    say(
      'http, sse, websocket or openapi, where the URL does not say it; scripts for a folder of them',
      'http、sse、websocket 或 openapi，用于从 URL 看不出类型时；scripts 表示脚本文件夹',
    ),
  )
  .option('--base-url <url>', say('where the calls of an OpenAPI document go', 'OpenAPI 文档的调用发往哪里'))
  .option('--disabled', say('add it switched off', '添加但不启用'))
  .option(
    '--try',
    say(
      'start it once and say what it shows (default on a terminal)',
      '启动一次并说明它提供的内容（在终端中默认如此）',
    ),
  )
  .option('--no-try', say('do not start it', '不启动'))
  .option('--json', jsonHelp)
  .action(async (name, rest, flags) => (await import('./commands/edit-sources.js')).add(name, rest, joined(flags)))

for (const [verb, what] of [
  ['remove', say('take a source out of the configuration', '从配置中移除来源')],
  ['enable', say('switch a source on', '启用来源')],
  ['disable', say('switch a source off', '停用来源')],
] as const)
  withConfigFlags(program.command(verb))
    .description(what)
    .argument('<names...>', say('the source, or several', '来源名称，可以有多个'))
    .option('--json', jsonHelp)
    .action(async (names: readonly string[], own) => {
      const commands = await import('./commands/edit-sources.js')
      const flags = joined(own)
      return verb === 'remove' ? commands.remove(names, flags) : commands.setEnabled(names, verb === 'enable', flags)
    })
addBundleCommands(program, joined)
addPublishCommands(program, joined)
addRegistryCommands(program, joined)

program.commandsGroup(say('Decide who sees what:', '决定谁能看到什么：'))
withConfigFlags(program.command('check'))
  .description(say('check the configuration', '检查配置'))
  .option('--online', onlineHelp)
  .option('--json', jsonHelp)
  .action(async (flags) => (await import('./commands/check.js')).check(joined(flags)))

addConfigCommands(program, joined)
addKeyCommands(program, joined)
addPeopleCommands(program, joined)
addStorageCommands(program, joined)
addAuditCommands(program, joined)
addLookCommands(program, joined)

program.commandsGroup(say('A running gateway:', '运行中的网关：'))
addRunningCommands(program, joined)
addServiceCommands(program, joined)
addXiaozhiCommands(program, joined)

program.commandsGroup(say('This shell:', '当前 shell：'))
addCompletion(program)
program.helpCommand('help [command]', howUsed())

completeHelp(program)

// Last, since commands inherit it: a word that is no command is for the program's own action, which knows what was meant.
program.allowExcessArguments()
