import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { parseAddress } from '../../faces/mcp/xiaozhi/address.js'
import type { EndpointStatus } from '../../faces/mcp/xiaozhi/status.js'
import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { openBoard } from '../../serving/open-board.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { toSettings } from '../../serving/xiaozhi-carrier.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { stateHere } from '../terminal/source-words.js'
import { table, widthOf } from '../terminal/table.js'
import { checkStatus, type HopCheck, hopName } from './xiaozhi-check.js'
import { liveStatus } from './xiaozhi-live.js'
import { runDialogue, speakAtDoor } from './xiaozhi-trial.js'

export interface TestFlags extends CommonFlags {
  readonly local?: boolean | undefined
  readonly tool?: string | undefined
  readonly argsJson?: string | undefined
  readonly wait?: string | undefined
}

/** `pegboard xiaozhi status`: the endpoints of the running gateway, or what is configured when none runs. */
export const status = async (flags: CommonFlags): Promise<void> => {
  const { config } = await readConfig(flags)
  const running = await liveStatus(config)
  const endpoints = running ?? plannedStatus(config)
  if (flags.json) return write(JSON.stringify({ running: running !== undefined, endpoints }, null, 2))
  if (endpoints.length === 0) return write(howToBegin)
  write(showEndpoints(endpoints))
  if (!running)
    return write(
      say(
        '\nNo gateway runs with this configuration. Start it with: pegboard serve',
        '\n没有以此配置运行的网关。启动：pegboard serve',
      ),
    )
  const findings = endpoints.flatMap((each) => checkStatus(each, Date.now())).filter(({ ok }) => ok !== true)
  if (findings.length > 0) write(`\n${showChecks(findings)}`)
  if (findings.some(({ ok }) => ok === false))
    throw new CommandFailed(say('Not every endpoint works.', '有接入点不能正常工作。'), exitCodes.unreachable)
}

/** `pegboard xiaozhi test`: a dialogue through one endpoint. */
export const test = async (number: string, flags: TestFlags): Promise<void> => {
  const loaded = await readConfig(flags)
  const index = Number(number) - 1
  const checks = await findings(loaded, index, flags)
  write(
    flags.json ? JSON.stringify({ ok: checks.every(({ ok }) => ok !== false), checks }, null, 2) : showChecks(checks),
  )
  const failed = checks.find(({ ok }) => ok === false)
  if (failed)
    throw new CommandFailed(
      say(`${failed.hop} fails: ${failed.what}`, `“${hopName(failed.hop)}”失败：${failed.what}`),
      exitOf[failed.hop],
    )
}

/** For a doctor: what is known of the endpoints without dialling one. */
export const xiaozhiChecks = async (config: Config): Promise<readonly HopCheck[]> => {
  const running = await liveStatus(config)
  if (running) return running.flatMap((each) => checkStatus(each, Date.now()))
  return plannedStatus(config).map(({ name }) => ({
    endpoint: name,
    hop: 'our link',
    ok: undefined,
    what: say('no gateway runs that would dial it', '没有运行中的网关来拨号'),
    todo: say('Start one with: pegboard serve', '启动：pegboard serve'),
  }))
}

const exitOf = {
  'our link': exitCodes.unreachable,
  'far side': exitCodes.unreachable,
  source: exitCodes.unreachable,
  tool: exitCodes.toolError,
} as const

const findings = async (
  loaded: Awaited<ReturnType<typeof readConfig>>,
  index: number,
  flags: TestFlags,
): Promise<readonly HopCheck[]> => {
  const { config } = loaded
  const configured = config.xiaozhi.endpoints[index]
  if (!configured && !(flags.local && index === 0)) throw noSuchEndpoint(index, config.xiaozhi.endpoints.length)
  const asked = { tool: flags.tool, args: readArgs(flags.argsJson), waitMs: readWait(flags.wait) }
  const running = flags.local || !configured ? undefined : await liveStatusOf(config, index)
  // Of two connections with one token each closes the other (X8): the running one is asked instead.
  if (running && configured) {
    const spoken = running.state === 'connected' ? await speakAtDoor(running.name, configured.url, asked) : []
    return [...checkStatus(running, Date.now()), ...spoken]
  }
  const board = await openBoard(loaded, {
    logger: quietLogger(loaded, flags, 'error'),
    persist: 'never',
  })
  try {
    await board.settled()
    return await runDialogue({
      board,
      endpoint: toSettings(configured ?? localEndpoint(config), board.findProfile),
      logger: quietLogger(loaded, flags, 'error'),
      local: flags.local === true,
      ...asked,
    })
  } finally {
    await board.close()
  }
}

// By its place, unless a reload has moved it: then by where it goes.
const liveStatusOf = async (config: Config, index: number): Promise<EndpointStatus | undefined> => {
  const planned = plannedStatus(config)[index]!
  const isIt = (each: EndpointStatus | undefined) => each?.host === planned.host && each.profile === planned.profile
  const running = (await liveStatus(config)) ?? []
  return isIt(running[index]) ? running[index] : running.find(isIt)
}

// For `--local` before there is any endpoint: the address is replaced by the one of the local far side.
const localEndpoint = ({ toolManager }: Config): Config['xiaozhi']['endpoints'][number] => ({
  url: 'ws://127.0.0.1/',
  profile: 'default',
  language: 'auto',
  maxResultSize: toolManager.maxResultSize,
  maxToolListSize: toolManager.maxToolListSize,
})

const plannedStatus = ({ xiaozhi }: Config): readonly EndpointStatus[] =>
  xiaozhi.endpoints.map(({ url, name, profile, maxResultSize, maxToolListSize }, index) => {
    const { host, expiresAt } = parseAddress(url)
    return {
      name: name ?? `xiaozhi-${index + 1}`,
      host,
      profile,
      state: 'stopped',
      reason: undefined,
      code: undefined,
      alarm: undefined,
      nextTryAt: undefined,
      connectedAt: undefined,
      tokenExpiresAt: expiresAt,
      peer: undefined,
      pingMs: undefined,
      connects: 0,
      calls: 0,
      running: 0,
      late: 0,
      maxResultBytes: maxResultSize,
      maxListBytes: maxToolListSize,
      list: undefined,
    }
  })

const showEndpoints = (endpoints: readonly EndpointStatus[]): string =>
  table(
    ['ENDPOINT', 'HOST', 'PROFILE', 'STATE', 'TOOLS', 'CALLS', 'LIMIT', 'FAR SIDE'],
    endpoints.map((each) => [
      each.name,
      each.host,
      each.profile,
      stateHere(each.state),
      each.list ? String(each.list.tools) : '-',
      String(each.calls),
      `${each.maxResultBytes} B`,
      each.peer ?? '-',
    ]),
  )

const showChecks = (checks: readonly HopCheck[]): string =>
  checks
    .map(({ endpoint, hop, ok, what, todo }) => {
      const mark = ok === undefined ? '-' : ok ? say('ok', '正常') : say('FAILED', '失败')
      const cells = [padded(hopName(hop), 8), padded(mark, 6)].join('  ')
      return `${endpoint}  ${cells}  ${what}${todo === undefined ? '' : `\n  → ${todo}`}`
    })
    .join('\n')

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const howToBegin = say(
  `No xiaozhi endpoint is configured. Copy its address (wss://…) from the console of your agent into MCP_ENDPOINT,
or into pegboard.json: {"xiaozhi": {"endpoint": "\${MCP_ENDPOINT}"}}. To try without one: pegboard xiaozhi test --local`,
  `没有配置小智接入点。从智能体的控制台复制接入地址（wss://…）到 MCP_ENDPOINT，
或写入 pegboard.json：{"xiaozhi": {"endpoint": "\${MCP_ENDPOINT}"}}。没有接入点也可以试：pegboard xiaozhi test --local`,
)

const noSuchEndpoint = (index: number, count: number): GatewayError =>
  new GatewayError(
    'CONFIG_INVALID',
    count === 0
      ? howToBegin
      : say(
          `There is no endpoint ${Number.isInteger(index) ? index + 1 : 'of that number'}; there are ${count}.`,
          `没有第 ${Number.isInteger(index) ? index + 1 : '?'} 个接入点；共有 ${count} 个。`,
        ),
  )

const readArgs = (json: string | undefined): unknown => {
  try {
    return json === undefined ? {} : JSON.parse(json)
  } catch {
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      say(
        '--args-json must be one JSON object, such as {"city":"Oslo"}.',
        '--args-json 必须是一个 JSON 对象，例如 {"city":"Oslo"}。',
      ),
    )
  }
}

const readWait = (text = '20000'): number => {
  const ms = Number(text)
  if (ms >= 100 && ms <= 600_000) return ms
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say('--wait takes milliseconds between 100 and 600000.', '--wait 的单位是毫秒，取值 100 到 600000。'),
  )
}

const write = (text: string): void => void process.stdout.write(`${text}\n`)
