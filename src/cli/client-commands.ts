import type { Command } from 'commander'
import { say } from '../serving/locale.js'
import { jsonHelp, withAloneFlag, withConfigFlags, withServerFlags } from './flags.js'

type Join = <Flags extends object>(flags: Flags) => Flags

const clientNames = say(
  'claude-desktop, claude-code, cursor, vscode, windsurf, gemini, codex, cline, xiaozhi or cherry-studio',
  '客户端：claude-desktop、claude-code、cursor、vscode、windsurf、gemini、codex、cline、xiaozhi 或 cherry-studio',
)

/** The commands about other programs' configurations. */
export const addClientCommands = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('import'))
    .description(
      say(
        'bring the servers of other programs onto the board; their files are only read',
        '把其他程序里的服务器导入到板上；只读取它们的文件',
      ),
    )
    .argument(
      '[clients...]',
      say(`${clientNames}, or a file (default: all that are found)`, `${clientNames}，或一个文件（默认：找到的全部）`),
    )
    .option('--home <folder>', say('the home to look in (default: yours)', '在哪个主目录中查找（默认：你的主目录）'))
    .option('--yes', say('add them without asking, switched off', '不询问直接添加，但不启用'))
    .option('--enable', say('add them without asking, switched on', '不询问直接添加并启用'))
    .option('--dry-run', say('only show what would be added', '只显示会添加什么'))
    .option('--json', jsonHelp)
    .action(async (words, flags) => (await import('./commands/import.js')).importSources(words, joined(flags)))

  withReachFlags(withServerFlags(program.command('connect')))
    .description(
      say("put the board into a client's configuration; a backup is kept", '把这块板写入客户端的配置；会保留备份'),
    )
    .argument('<client>', clientNames)
    .option(
      '--file <file>',
      say("the client's file, where it is not in its usual place", '客户端的配置文件，用于不在通常位置时'),
    )
    .option(
      '--project',
      say('for this folder only, where the client knows such files', '只对当前文件夹生效（客户端支持时）'),
    )
    .option('--undo', say('take it back: the file is as it was, byte for byte', '撤销：文件逐字节恢复原样'))
    .option('--yes', say('write without asking', '不询问直接写入'))
    .option('--dry-run', say('only show what would be written', '只显示会写入什么'))
    .option('--json', jsonHelp)
    .action(async (client, flags) => (await import('./commands/connect.js')).connect(client, joined(flags)))

  withAloneFlag(withReachFlags(withServerFlags(program.command('export'))))
    .description(
      say(
        "the catalog as JSON, the tool list for a model provider, or what to paste into a client's configuration",
        '导出 JSON 目录、供模型厂商使用的工具列表，或要粘贴到客户端配置中的内容',
      ),
    )
    .argument('[client]', clientNames)
    .option(
      '--format <name>',
      say(
        'openai, openai-responses, openai-strict, anthropic, gemini, mcp or kwargs',
        'openai、openai-responses、openai-strict、anthropic、gemini、mcp 或 kwargs',
      ),
    )
    .option('--json', jsonHelp)
    .action(async (client: string | undefined, own) => {
      const flags = joined(own)
      if (client !== undefined) return (await import('./commands/snippet.js')).printSnippet(client, flags)
      return (await import('./commands/look.js')).exportTools(flags)
    })
}

/** `init` joins the others: a configuration, what other clients have, and clients that use it. */
export const addInit = (program: Command, joined: Join): void => {
  withConfigFlags(program.command('init'))
    .description(
      say(
        'make a configuration: guided on a terminal, by options elsewhere',
        '创建配置：在终端中逐步引导，其他场合用选项',
      ),
    )
    .option(
      '--home <folder>',
      say('the home to look for clients in (default: yours)', '在哪个主目录中查找客户端（默认：你的主目录）'),
    )
    .option('--yes', say('ask nothing', '不提问'))
    .option('--import', say('bring in the servers of other clients, switched off', '导入其他客户端的服务器，但不启用'))
    .option('--enable', say('bring them in switched on', '导入并启用'))
    .option(
      '--connect <clients...>',
      say('put the board into the configuration of these clients', '把这块板写入这些客户端的配置'),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/init.js')).init(joined(flags)))
}

/** Completion knows the commands by asking the program. */
export const addCompletion = (program: Command): void => {
  program
    .command('completion')
    .description(
      say('a completion script: eval "$(pegboard completion bash)"', '补全脚本：eval "$(pegboard completion bash)"'),
    )
    .argument('<shell>', say('bash, zsh or fish', 'bash、zsh 或 fish'))
    .action(async (shell) => (await import('./terminal/completion.js')).completion(shell, program))
}

/** `doctor` looks at both sides of the board. */
export const addDoctor = (program: Command, joined: Join): void => {
  withAloneFlag(withServerFlags(program.command('doctor')))
    .description(
      say(
        'check everything between clients and tools; says what to do about what is wrong',
        '检查从客户端到工具的每一环，并说明如何修复',
      ),
    )
    .option(
      '--home <folder>',
      say('the home to look for clients in (default: yours)', '在哪个主目录中查找客户端（默认：你的主目录）'),
    )
    .option('--json', jsonHelp)
    .action(async (flags) => (await import('./commands/doctor.js')).doctor(joined(flags)))
}

const withReachFlags = (command: Command): Command =>
  command
    .option(
      '--http',
      say(
        'reach the running gateway by its address instead of starting one',
        '通过地址连接运行中的网关，而不是另行启动',
      ),
    )
    .option('--name <name>', say('what the client calls us (default: pegboard)', '在客户端中的名称（默认：pegboard）'))
    .option('--profile <name>', say('the profile that the client sees', '客户端使用的配置档（profile）'))
    .option('--home <folder>', say('the home to look in (default: yours)', '在哪个主目录中查找（默认：你的主目录）'))
