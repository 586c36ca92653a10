import type { Gateway, SourceInfo } from '../../../gateway.js'
import type { Caller } from '../../../model/caller.js'
import type { OpenCircuit } from '../../../model/open-circuit.js'
import type { Operation } from '../operation.js'
import { closed, profileField } from '../schemas.js'

/** `GET /api/v1/sources`: where tools come from, and how those places are. */
export const listSources = (gateway: Gateway): Operation => ({
  id: 'listSources',
  method: 'GET',
  path: '/api/v1/sources',
  right: 'discover',
  tag: 'sources',
  summary: 'List sources with their states',
  query: closed({ profile: profileField }),
  answers: { 200: { description: 'All sources this caller may know of', schema: answerSchema } },
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
  ...(status.reason === undefined ? {} : { reason: status.reason }),
  ...(status.nextRetryAt === undefined ? {} : { nextRetryAt: new Date(status.nextRetryAt).toISOString() }),
  ...(status.peer === undefined ? {} : { peer: status.peer }),
  tools,
  ...circuitsFor(circuits, gateway, caller),
})

const circuitsFor = (circuits: SourceInfo['circuits'], gateway: Pick<Gateway, 'find'>, caller: Caller) => {
  const seen = circuits.filter(({ tool }) => tool === undefined || gateway.find(tool, caller))
  return seen.length === 0 ? {} : { circuits: seen.map(toCircuitRecord) }
}

/** An open circuit as programs read it; without `tool` it is the whole source's. */
export const toCircuitRecord = ({ tool, reason, since, retryAt }: OpenCircuit) => ({
  ...(tool === undefined ? {} : { tool }),
  reason,
  since: new Date(since).toISOString(),
  retryAt: new Date(retryAt).toISOString(),
})

const answerSchema = {
  type: 'object',
  properties: {
    sources: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: { type: 'string' },
          namespace: { type: 'string' },
          state: { type: 'string' },
          reason: { type: 'string' },
          nextRetryAt: { type: 'string', format: 'date-time' },
          tools: { type: 'integer' },
          circuits: {
            type: 'array',
            description: 'What failed repeatedly and is left alone for a while; without `tool` the whole source',
            items: {
              type: 'object',
              properties: {
                tool: { type: 'string' },
                reason: { type: 'string' },
                since: { type: 'string', format: 'date-time' },
                retryAt: { type: 'string', format: 'date-time' },
              },
              required: ['reason', 'since', 'retryAt'],
            },
          },
        },
        required: ['name', 'kind', 'namespace', 'state', 'tools'],
      },
    },
  },
}
