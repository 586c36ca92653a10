import type { Place } from '../../src/fleet/fleet.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.js'
import type { Caller } from '../../src/model/caller.js'
import { systemClock } from '../../src/model/clock.js'
import type { JsonObject } from '../../src/model/json.js'
import type { Outcome } from '../../src/model/outcome.js'
import { resultAnswer, textResult } from '../../src/model/result.js'
import { openPeerLinks, peerSourcesOf } from '../../src/serving/peer-links.js'
import type { OpenPeerSource } from '../../src/sources/hosting.js'
import type { Source, SourceCall } from '../../src/sources/source.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { startReplica, type TestReplica, type TestReplicaOptions } from './two-replicas.js'

export const hopCommon = {
  clientInfo: { name: 'pegboard', version: '0' },
  clock: systemClock,
  logger: silentLogger,
}

export interface Hop extends AsyncDisposable {
  /** Where callers come in. */
  readonly asker: { readonly gateway: Gateway; readonly replica: TestReplica }
  /** Where the sources run. */
  readonly holder: { readonly gateway: Gateway; readonly replica: TestReplica }
  /** Where the holder thinks that a source is; may be changed. */
  place: Place
  readonly openPeerSource: OpenPeerSource
}

export interface HopOptions {
  readonly asker?: TestReplicaOptions | undefined
  readonly holder?: GatewayOptions | undefined
  readonly asking?: GatewayOptions | undefined
}

/** Two gateways on real sockets: one holds the sources, the other reaches them through it. */
export const startHop = async (sources: Readonly<Record<string, Source>>, options: HopOptions = {}): Promise<Hop> => {
  const holder = { gateway: createGateway(options.holder), replica: startReplica('holder') }
  const asker = { gateway: createGateway(options.asking), replica: startReplica('asker', options.asker) }
  const { passes, peers, http } = holder.replica
  const hop: { place: Place } = { place: { at: 'here', epoch: 1 } }
  const links = openPeerLinks(holder.gateway, { ...peers, door: passes }, () => hop.place, silentLogger)
  http.onUpgrade(links.route)
  await holder.replica.listen()
  await Promise.all(Object.entries(sources).map(([name, source]) => holder.gateway.addSource(name, source)))
  const others = { members: () => [holder.replica.member()] }
  const openPeerSource = peerSourcesOf(others, asker.replica.peers)
  await Promise.all(
    Object.keys(sources).map((name) => {
      const where = { source: name, replica: 'holder', epoch: 1 }
      return asker.gateway.addSource(name, openPeerSource(where, { ...hopCommon, name }))
    }),
  )
  return Object.assign(hop, {
    asker,
    holder,
    openPeerSource,
    [Symbol.asyncDispose]: async () => {
      links.close()
      await asker.gateway.close()
      await asker.replica[Symbol.asyncDispose]()
      await holder.replica[Symbol.asyncDispose]()
      await holder.gateway.close()
    },
  })
}

export const ann: Caller = { id: 'ann', rights: ['discover', 'call'], actsForAccounts: true }

export type Run = (args: JsonObject, context: SourceCall) => ReturnType<Source['call']>

export const answerOf = (text: string) => resultAnswer(textResult(text))

/** A hop to one source with one tool, `up.tool`, which does as it is told. */
export const startHopTo = (run: Run, options?: HopOptions): Promise<Hop> =>
  startHop(
    {
      up: {
        kind: 'scripted',
        watch: async (onTools, signal) => {
          const definition = { name: 'tool', inputSchema: { type: 'object' } as JsonObject }
          onTools({ type: 'all', tools: [{ definition }] })
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        },
        call: (_name, args, context) => run(args, context),
        [Symbol.asyncDispose]: async () => {},
      },
    },
    options,
  )

export const callAt = ({ asker }: Hop, args: JsonObject = {}, more: object = {}): Promise<Outcome> =>
  asker.gateway.call({ tool: 'up.tool', args, caller: ann, ...more })

export const textOf = (outcome: Outcome): string | undefined =>
  outcome.ok && outcome.answer.type === 'result' ? outcome.answer.result.content[0]?.text : undefined
