import { metaKeys } from '../../mcp/message.js'
import { isRecord } from '../../model/json.js'
import { say } from '../locale.js'
import { glanceAt, type PeekedMessage } from './peek.js'

/**
 * What is open between a client and the gateway behind the bridge, so that the client can be told when the gateway dies, and
 * a new one be brought to where the old one was.
 */
export interface BridgeConversation {
  fromClient(line: Buffer): void
  /** False for an answer to what we said ourselves, which the client must not see. */
  fromGateway(line: Buffer): boolean
  /** The gateway is gone. What the client hears of it; afterwards nothing is open but what `replay` says again. */
  lost(): readonly string[]
  /** What a new gateway is told first. `before` ends with a question that must be answered before `after` is said. */
  replay(): { readonly before: readonly string[]; readonly after: readonly string[] }
  /** What the client hears once it is said: the new gateway may have other tools. */
  resumed(): readonly string[]
}

const ownId = '"pegboard-bridge-'

export const createConversation = (): BridgeConversation => {
  /** By id: the line itself where it can be said again, as nothing was done yet. */
  const asked = new Map<string, string | undefined>()
  const questions = new Set<string>()
  const subscriptions = new Map<string, string>()
  let initialize: string | undefined
  let initialized: string | undefined
  let level: string | undefined
  let own = 0
  let ownOpen = 0

  const remember = (method: string, line: Buffer): void => {
    if (method === 'initialize') initialize = line.toString('utf8')
    else if (method === 'notifications/initialized') initialized = line.toString('utf8')
    else if (method === 'logging/setLevel') level = line.toString('utf8')
    else if (method === 'resources/subscribe') subscriptions.set(uriOf(line), line.toString('utf8'))
    else if (method === 'resources/unsubscribe') subscriptions.delete(uriOf(line))
  }
  const anew = (line: string): string => {
    ownOpen++
    return JSON.stringify({ ...(JSON.parse(line) as object), id: `pegboard-bridge-${++own}` })
  }
  const heardFromClient = (glance: PeekedMessage, line: Buffer): void => {
    if (glance.kind === 'response') return void questions.delete(glance.id)
    if (stateful.has(glance.method)) remember(glance.method, line)
    if (glance.kind === 'request')
      asked.set(glance.id, repeatable.has(glance.method) ? line.toString('utf8') : undefined)
    // A cancelled request gets no answer, so nothing else would end it here.
    else if (glance.method === 'notifications/cancelled') asked.delete(JSON.stringify(paramOf(line, 'requestId')))
  }

  return {
    fromClient: (line) => {
      const glance = glanceAt(line)
      if (glance) heardFromClient(glance, line)
    },
    fromGateway: (line) => {
      const glance = glanceAt(line)
      if (glance?.kind === 'request') questions.add(glance.id)
      if (glance?.kind !== 'response') return true
      if (ownOpen > 0 && glance.id.startsWith(ownId)) {
        ownOpen--
        return false
      }
      asked.delete(glance.id)
      return true
    },
    lost: () => {
      const told = [...asked].flatMap(([id, line]) => (line === undefined ? [lostText(id)] : []))
      for (const [id, line] of asked) if (line === undefined) asked.delete(id)
      const withdrawn = [...questions].map(withdrawText)
      questions.clear()
      ownOpen = 0
      return [...told, ...withdrawn]
    },
    replay: () => {
      const again = [...asked.values()].flatMap((line) => (line === undefined ? [] : [line]))
      const isOpen = initialize !== undefined && again.includes(initialize)
      if (initialize === undefined || isOpen) return { before: [], after: again }
      const rest = [...(level === undefined ? [] : [level]), ...subscriptions.values()].map(anew)
      const greeting = initialized === undefined ? [] : [initialized]
      return { before: [anew(initialize)], after: [...greeting, ...rest, ...again] }
    },
    resumed: () => {
      const unasked = initialized === undefined ? [] : lists.map((list) => changedText(list))
      return [...unasked, ...[...asked].flatMap(([id, line]) => (line === undefined ? [] : changesAskedFor(id, line)))]
    },
  }
}

/** What can be asked again without doing anything twice, and whose answer a client would wait for. */
const repeatable: ReadonlySet<string> = new Set(['initialize', 'subscriptions/listen', 'server/discover'])

const stateful: ReadonlySet<string> = new Set([
  'initialize',
  'notifications/initialized',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

const lostText = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({
    code: -32_603,
    message: say(
      'The gateway ended before it answered. The call may have run; look before you try again.',
      '网关在应答之前已停止。调用可能已执行；重试之前请先确认。',
    ),
    data: { code: 'GATEWAY_LOST' },
  })}}`

const withdrawText = (id: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"GATEWAY_LOST"}}`

const lists = ['tools', 'prompts', 'resources'] as const

const changedText = (list: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', method: `notifications/${list}/list_changed`, params })

/** A modern client hears of changes by the request in which it listens. */
const changesAskedFor = (id: string, line: string): readonly string[] => {
  const wished = paramOf(Buffer.from(line), 'notifications')
  if (!isRecord(wished)) return []
  const _meta = { [metaKeys.subscriptionId]: JSON.parse(id) as unknown }
  return lists.filter((list) => wished[`${list}ListChanged`] === true).map((list) => changedText(list, { _meta }))
}

const uriOf = (line: Buffer): string => String(paramOf(line, 'uri'))

const paramOf = (line: Buffer, name: string): unknown => {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'))
    return isRecord(message) && isRecord(message.params) ? message.params[name] : undefined
  } catch {
    return undefined
  }
}
