import { randomBytes } from 'node:crypto'
import type { Member } from '../../src/fleet/fleet.js'
import { openPeerClient } from '../../src/fleet/peer-client.js'
import { createPeerPasses, type PeerPasses } from '../../src/fleet/peer-pass.js'
import type { FleetPeers } from '../../src/fleet/peers.js'
import { createHttpHost, type HttpHost } from '../../src/http/host.js'
import { systemClock } from '../../src/model/clock.js'
import { createSeals } from '../../src/model/seal.js'
import { silentLogger } from '../../src/telemetry/logger.js'

export interface TestReplica extends AsyncDisposable {
  readonly name: string
  readonly passes: PeerPasses
  readonly peers: FleetPeers
  readonly http: HttpHost
  /** As the others see it. */
  member(): Member
  listen(): Promise<string>
}

export interface TestReplicaOptions {
  readonly secret?: string | undefined
  /** How far its clock is off. */
  readonly offsetMs?: number | undefined
  readonly members?: () => readonly Member[]
}

export const fleetSecret = 'the secret of a fleet under test'

/** One replica as the others meet it: passes, a client and an open port. */
export const startReplica = (name: string, options: TestReplicaOptions = {}): TestReplica => {
  const { secret = fleetSecret, offsetMs = 0, members = () => [] } = options
  const instance = randomBytes(6).toString('hex')
  let address: string | undefined
  const passes = createPeerPasses({
    seal: createSeals(secret).of('peer'),
    us: () => ({ name, instance }),
    now: () => Date.now() + offsetMs,
    clock: systemClock,
  })
  const peers = openPeerClient({ passes, members, logger: silentLogger })
  const http = createHttpHost({ authenticate: () => ({ caller: { id: 'key', rights: ['call', 'admin'] } }) })
  return {
    name,
    passes,
    peers,
    http,
    member: () => ({ name, instance, address, version: '0', state: 'ready', secrets: [], silentMs: 0, isUs: false }),
    listen: async () => (address = (await http.listen({ host: '127.0.0.1', port: 0 })).url),
    [Symbol.asyncDispose]: async () => {
      await peers[Symbol.asyncDispose]()
      await http.close({ graceMs: 0 })
    },
  }
}
