import type { Gateway, SourceInfo } from '../../../gateway.js'
import type { Caller } from '../../../model/caller.js'
import type { OpenCircuit } from '../../../model/open-circuit.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { closed, described, integer, list, shape, text, words } from '../../../operations/shape.js'
import { profileField } from '../schemas.js'

const time = text({ format: 'date-time' })

const circuit = shape({ reason: text(), since: time, retryAt: time }, { tool: text() })

const answerSchema = shape({
  sources: list(
    shape(
      { name: text(), kind: text(), namespace: text(), state: text(), tools: integer() },
      {
        reason: text(),
        replica: described(text(), 'The replica that runs it, where that is another', '由其他副本运行时，该副本的名称'),
        nextRetryAt: time,
        circuits: described(
          list(circuit),
          'What failed repeatedly and is left alone for a while; without `tool` the whole source',
          '反复失败而暂停调用的部分；没有 `tool` 时指整个来源',
        ),
      },
    ),
  ),
})

/** `GET /api/v1/sources`: where tools come from, and how those places are. */
export const listSources = (gateway: Gateway): Operation =>
  operation({
    id: 'listSources',
    method: 'GET',
    path: '/api/v1/sources',
    right: 'discover',
    tag: 'sources',
    summary: words('List sources with their states', '列出来源及其状态'),
    query: closed({ profile: profileField }),
    answers: {
      200: {
        description: words('All sources this caller may know of', '此调用者可知的全部来源'),
        schema: answerSchema,
      },
    },
    run: ({ caller }) => ({
      json: { sources: visibleSources(gateway, caller).map((info) => toSourceRecord(info, gateway, caller)) },
    }),
  })

// Where the board keeps what was registered with it; of interest only once something was.
const ownKinds: ReadonlySet<string> = new Set(['functions', 'registered', 'registry'])

/** A caller bound to a profile learns of a source only through a tool of it that they see. */
export const visibleSources = (gateway: Gateway, caller: Caller): readonly SourceInfo[] => {
  const seen = new Set(gateway.list(caller).map(({ source }) => source))
  return gateway
    .sources()
    .filter(({ name, kind }) => seen.has(name) || (caller.profile === undefined && !ownKinds.has(kind)))
}

/** A source as programs read it. What is left alone of it is told as far as this caller sees the tools. */
export const toSourceRecord = (
  { name, kind, namespace, status, tools, circuits }: SourceInfo,
  gateway: Pick<Gateway, 'find'>,
  caller: Caller,
) => ({
  name,
  kind,
  namespace,
  state: status.state,
  reason: status.reason,
  replica: status.replica,
  nextRetryAt: status.nextRetryAt === undefined ? undefined : new Date(status.nextRetryAt).toISOString(),
  peer: status.peer,
  tools,
  ...circuitsFor(circuits, gateway, caller),
})

const circuitsFor = (circuits: SourceInfo['circuits'], gateway: Pick<Gateway, 'find'>, caller: Caller) => {
  const seen = circuits.filter(({ tool }) => tool === undefined || gateway.find(tool, caller))
  return seen.length === 0 ? {} : { circuits: seen.map(toCircuitRecord) }
}

/** An open circuit as programs read it; without `tool` it is the whole source's. */
export const toCircuitRecord = ({ tool, reason, since, retryAt }: OpenCircuit) => ({
  tool,
  reason,
  since: new Date(since).toISOString(),
  retryAt: new Date(retryAt).toISOString(),
})
