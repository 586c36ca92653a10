import { type Command, Option } from 'commander'
import { say } from '../serving/locale.js'

const configuration = say('Configuration:', '配置：')
const serving = say('Server:', '服务：')

/** What `--json` is for, in every help alike. */
export const jsonHelp = say('machine-readable output', '以 JSON 输出，供程序读取')

/** Options that many commands share, in the order in which a help shows them, behind the command's own. */
export const sharedGroups: readonly string[] = [configuration, serving]

const shared = (group: string, flags: string, description: string, choices?: readonly string[]): Option => {
  const option = new Option(flags, description).helpGroup(group)
  return choices === undefined ? option : option.choices(choices)
}

export const withConfigFlags = (command: Command): Command =>
  [
    shared(
      configuration,
      '-c, --config <file>',
      say(
        'configuration file (default: pegboard.json, .jsonc, .yaml or .yml here)',
        '配置文件（默认：当前文件夹的 pegboard.json、.jsonc、.yaml 或 .yml）',
      ),
    ),
    shared(configuration, '--data-path <folder>', say('where data is kept', '数据保存在哪里')),
    shared(configuration, '--storage-backend <name>', say('how data is kept', '数据的保存方式'), [
      'json',
      'sqlite',
      'memory',
    ]),
    shared(configuration, '--log-level <level>', say('how much to log', '日志的详细程度'), [
      'debug',
      'info',
      'warn',
      'error',
    ]),
    shared(configuration, '--log-format <format>', say('how to log', '日志格式'), ['line', 'json']),
    shared(configuration, '--log-file <file>', say('log into this file too', '同时把日志写入该文件')),
  ].reduce((to, option) => to.addOption(option), command)

/** How models search a board that is served, and how long its first list may wait. */
export const withSearchFlag = (command: Command): Command =>
  [
    shared(
      serving,
      '--search-method <name>',
      say('how tools are found where the caller does not say it', '调用方未指定时的搜索方式'),
      ['auto', 'bm25', 'regex', 'embedding'],
    ),
    shared(
      serving,
      '--first-list-ms <ms>',
      say(
        'how long lists may wait for sources not seen before (default: 5000)',
        '列表最多等待未见过的来源多久（默认：5000）',
      ),
    ),
  ].reduce((to, option) => to.addOption(option), command)

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
  command
    .addOption(
      shared(
        serving,
        '--alone',
        say(
          'serve in this process, also where a gateway runs with this configuration',
          '即使已有使用此配置的网关在运行，也由本进程提供服务',
        ),
      ),
    )
    .addOption(
      shared(
        serving,
        '--share',
        say(
          'where no gateway runs, start one in the background that all clients share',
          '没有网关运行时，在后台启动一个由所有客户端共用的网关',
        ),
      ),
    )

export const withServerFlags = (command: Command): Command =>
  [
    shared(serving, '--transport <name>', say('how clients reach us', '客户端的接入方式'), ['stdio', 'http']),
    shared(
      serving,
      '--host <address>',
      say('address to listen on (default: 127.0.0.1)', '监听地址（默认：127.0.0.1）'),
    ),
    shared(serving, '--port <number>', say('port to listen on (default: 8000)', '监听端口（默认：8000）')),
    shared(serving, '--path <path>', say('path of the MCP endpoint (default: /mcp)', 'MCP 端点的路径（默认：/mcp）')),
    shared(
      serving,
      '--enable-auth',
      say(
        'ask every caller over HTTP for a key (see: pegboard key)',
        '要求每个 HTTP 调用方出示密钥（见：pegboard key）',
      ),
    ),
    shared(
      serving,
      '--public-url <url>',
      say('where others reach this server, as behind a proxy', '外部访问本服务的地址，例如位于代理之后时'),
    ),
    shared(
      serving,
      '--token <token>',
      say(
        'bearer token that callers must send (better: PEGBOARD_TOKEN)',
        '调用方必须发送的 bearer token（更好：用 PEGBOARD_TOKEN）',
      ),
    ),
  ].reduce((to, option) => to.addOption(option), withSearchFlag(withConfigFlags(command)))
