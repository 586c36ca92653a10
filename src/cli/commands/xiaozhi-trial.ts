import { messageOf } from '../../errors.js'
import type { XiaozhiCarrier } from '../../faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../../faces/mcp/xiaozhi/endpoint.js'
import { isRecord } from '../../model/json.js'
import type { Board } from '../../serving/board.js'
import { say } from '../../serving/locale.js'
import { createLinks } from '../../serving/xiaozhi-carrier.js'
import type { Logger } from '../../telemetry/logger.js'
import { checkSources, checkStatus, type Hop, type HopCheck, tokenNotAccepted } from './xiaozhi-check.js'
import { dialRobot, isTokenRefused, type Robot, robotAddress, startLocalFarSide } from './xiaozhi-dialogue.js'

export interface TrialOptions {
  readonly board: Board
  readonly endpoint: EndpointSettings
  readonly logger: Logger
  /** Against a far side on this machine instead. */
  readonly local: boolean
  /** The tool to call. Undefined: one that is harmless and needs no arguments. */
  readonly tool?: string | undefined
  readonly args: unknown
  readonly waitMs: number
}

/** A whole dialogue: connect, introduce, list, call. Every hop is told, and the first that fails is the last. */
export const runDialogue = async (options: TrialOptions): Promise<readonly HopCheck[]> => {
  const { board, endpoint, waitMs, local } = options
  const far = local ? await startLocalFarSide(waitMs) : undefined
  const carrier = createLinks(board, [far ? { ...endpoint, url: far.url } : endpoint], options.logger)
  let robot: Robot | undefined
  const name = carrier.status()[0]!.name
  const checks: HopCheck[] = [...checkSources(name, board.gateway.sources())]
  try {
    carrier.start()
    await until(carrier, ({ state }) => state === 'connected' || state === 'waiting', waitMs)
    if (carrier.status()[0]!.state !== 'connected') return [...checks, ...checkStatus(carrier.status()[0]!, Date.now())]
    const door = far ? undefined : robotAddress(endpoint.url)
    robot = far ? await far.robot : door === undefined ? undefined : await dialRobot(door, waitMs)
    if (robot) return [...checks, ...(await speak(name, robot, options))]
    // The cloud speaks by itself when it wants to: here one can only listen.
    await until(carrier, ({ list, state }) => list !== undefined || state === 'waiting', waitMs)
    return [...checks, ...checkStatus(carrier.status()[0]!, Date.now())]
  } catch (error) {
    // Both doors close on a refused token, one a moment after the other; ours says why.
    if (isTokenRefused(error)) await until(carrier, ({ state }) => state !== 'connected', waitMs)
    const status = carrier.status()[0]!
    return [
      ...checks,
      ...(status.state === 'connected' ? [farSideFailed(name, error)] : checkStatus(status, Date.now())),
    ]
  } finally {
    robot?.close()
    await carrier.close()
    await far?.close()
  }
}

/** The dialogue at the robots' door of a relay, for a gateway that holds the other door already. */
export const speakAtDoor = async (
  endpoint: string,
  url: string,
  options: Pick<TrialOptions, 'tool' | 'args' | 'waitMs'>,
): Promise<readonly HopCheck[]> => {
  const door = robotAddress(url)
  if (door === undefined) return []
  let robot: Robot | undefined
  try {
    robot = await dialRobot(door, options.waitMs)
    return await speak(endpoint, robot, options)
  } catch (error) {
    return [farSideFailed(endpoint, error)]
  } finally {
    robot?.close()
  }
}

const farSideFailed = (endpoint: string, error: unknown): HopCheck => ({
  endpoint,
  hop: 'far side',
  ok: false,
  what: messageOf(error),
  todo: isTokenRefused(error) ? tokenNotAccepted() : switchedOn,
})

const switchedOn = say('Is the device or the relay switched on?', '设备或中继开着吗？')

const speak = async (
  endpoint: string,
  robot: Robot,
  { tool, args }: Pick<TrialOptions, 'tool' | 'args'>,
): Promise<readonly HopCheck[]> => {
  const check = (hop: Hop, ok: boolean | undefined, what: string, todo?: string): HopCheck => ({
    endpoint,
    hop,
    ok,
    what,
    todo: todo || undefined,
  })
  const checks: HopCheck[] = [check('our link', true, say('connected', '已连接'))]
  const hello = await robot.ask('initialize', {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'pegboard-test', version: '1' },
  })
  if (!isRecord(hello.result))
    return [
      ...checks,
      check(
        'far side',
        false,
        say(`it answered instead of us: ${errorWords(hello)}`, `对端自行应答：${errorWords(hello)}`),
        say(
          'Another program may hold this endpoint: stop it and try again.',
          '可能有另一个程序占用此接入点：停止它后重试。',
        ),
      ),
    ]
  const tools = await listAll(robot)
  checks.push(
    check('far side', true, say(`reached; ${tools.length} tools listed`, `已连通；列出 ${tools.length} 个工具`)),
  )
  if (tools.length === 0)
    return [
      ...checks,
      check(
        'source',
        false,
        say('there are no tools to call', '没有可调用的工具'),
        say('Add sources, or look at the profile of this endpoint.', '添加来源，或查看此接入点的配置档。'),
      ),
    ]
  const name = tool ?? tools.find(isHarmless)?.name
  if (name === undefined)
    return [
      ...checks,
      check(
        'tool',
        undefined,
        say('none was called: each needs arguments or changes something', '没有调用：每个工具都需要参数或会改动数据'),
        say('Name one with --tool and --args-json.', '用 --tool 和 --args-json 指定一个。'),
      ),
    ]
  const startedAt = performance.now()
  const answer = await robot.ask('tools/call', { name, arguments: args })
  const ms = Math.round(performance.now() - startedAt)
  const failure = errorWords(answer)
  if (failure !== undefined)
    return [
      ...checks,
      check(
        'tool',
        false,
        say(`'${String(name)}' failed: ${failure}`, `“${String(name)}”失败：${failure}`),
        say(
          `Try it without the link: pegboard call ${String(name)}`,
          `不经过连接试一次：pegboard call ${String(name)}`,
        ),
      ),
    ]
  const text = textOf(answer)
  return [
    ...checks,
    check(
      'tool',
      true,
      say(
        `'${String(name)}' answered ${Buffer.byteLength(text)} bytes in ${ms} ms: ${text.slice(0, 120)}`,
        `“${String(name)}”在 ${ms} 毫秒内返回 ${Buffer.byteLength(text)} 字节：${text.slice(0, 120)}`,
      ),
    ),
  ]
}

const mostPages = 1000

const listAll = async (robot: Robot): Promise<readonly Record<string, unknown>[]> => {
  const tools: Record<string, unknown>[] = []
  let cursor: unknown
  for (let page = 0; page < mostPages; page++) {
    const { result } = await robot.ask('tools/list', cursor === undefined ? {} : { cursor })
    if (!isRecord(result) || !Array.isArray(result.tools)) break
    tools.push(...result.tools.filter(isRecord))
    cursor = result.nextCursor
    if (typeof cursor !== 'string' || cursor === '') break
  }
  return tools
}

/** Nothing required, and a name that asks rather than does. */
const isHarmless = ({ name, inputSchema }: Record<string, unknown>): boolean => {
  const required = isRecord(inputSchema) ? inputSchema.required : undefined
  const needsNothing = !Array.isArray(required) || required.length === 0
  return (
    needsNothing &&
    /(?:^|[_-])(?:get|list|read|show|query|search|status|current|time|date|weather|ping|echo)(?:[_-]|$)|查|看|时间|天气/i.test(
      String(name),
    )
  )
}

const errorWords = (answer: Record<string, unknown>): string | undefined => {
  if (isRecord(answer.error)) return String(answer.error.message)
  const { result } = answer
  return isRecord(result) && result.isError === true ? String(result.error ?? textOf(answer)) : undefined
}

const textOf = ({ result }: Record<string, unknown>): string => {
  const [first] = isRecord(result) && Array.isArray(result.content) ? result.content : []
  return isRecord(first) ? String(first.text ?? '') : ''
}

type Status = ReturnType<XiaozhiCarrier['status']>[number]

/** Resolves when it is so, or when the time is up. */
const until = (carrier: XiaozhiCarrier, isSo: (status: Status) => boolean, waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    // A list is read without a change of state, so the state alone is not enough to listen to.
    const timer = setInterval(() => check(), 100)
    const limit = setTimeout(() => end(), waitMs)
    const stop = carrier.onStatus(() => check())
    const end = (): void => {
      clearInterval(timer)
      clearTimeout(limit)
      stop()
      resolve()
    }
    const check = (): void => {
      if (isSo(carrier.status()[0]!)) end()
    }
    check()
  })
