import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { networkFailure, unavailable } from '../mcp/client/failure.js'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { Logger } from '../telemetry/logger.js'
import type { Fleet, Member } from './fleet.js'
import { dialLink } from './peer-link.js'
import { createPeerPasses, type PeerPasses } from './peer-pass.js'
import {
  type FleetAnswer,
  type FleetPeers,
  type FleetRequest,
  type OpenPeers,
  peerHeader,
  peerPath,
  type Told,
} from './peers.js'

/** How a replica asks others and lets them ask: made by whoever makes the `Fleet`, and a part of it. */
export const openPeers = (fleet: Pick<Fleet, 'seals' | 'members' | 'now'>, clock: Clock, logger: Logger): OpenPeers => {
  const us = (): Member => fleet.members().find(({ isUs }) => isUs)!
  const passes = createPeerPasses({ seal: fleet.seals.of('peer'), us, now: () => fleet.now(), clock })
  return { ...openPeerClient({ passes, members: () => fleet.members(), logger }), door: passes }
}

export interface PeerClientOptions {
  readonly passes: Pick<PeerPasses, 'write'>
  /** Those that live, ourselves included. */
  readonly members: () => readonly Member[]
  readonly logger: Logger
  /** Default: 1 s. */
  readonly connectTimeoutMs?: number | undefined
}

/** Open connections to one replica; more requests wait for one. */
// As many calls may wait for answers at one replica, each with a request that was passed on, as half of these.
const mostConnections = 256
// Below the time that the other side keeps them, so that it is we who close.
const idleMs = 30_000

// The other side looks at a pass and no more, but it may be busy.
const linkTimeoutMs = 2000

/** Asks other replicas over plain HTTP, each request under a pass of its own. For what is seldom: calls go by links. */
export const openPeerClient = (options: PeerClientOptions): FleetPeers => {
  const { passes, members, logger, connectTimeoutMs = 1000 } = options
  const keeping = { keepAlive: true, maxSockets: mostConnections, maxFreeSockets: 8, timeout: idleMs }
  const agents = { 'http:': new HttpAgent(keeping), 'https:': new HttpsAgent(keeping) }
  const listeners = new Map<string, Set<(content: JsonObject, from: string) => void>>()
  const lines = new Map<string, TellLine>()
  let closed = false

  const send = (to: Member, request: FleetRequest): Promise<FleetAnswer> =>
    new Promise((resolve, reject) => {
      const { method, body, headers, caller, epoch, signal } = request
      if (closed || to.address === undefined) return reject(unavailable(notListening(to), { notSent: true }))
      const url = new URL(peerPath + request.path, to.address)
      const target = url.pathname + url.search
      const pass = passes.write({ method, target, headers, body, caller, epoch, to })
      const isTls = url.protocol === 'https:'
      const asked = (isTls ? requestHttps : requestHttp)(url, {
        method,
        agent: isTls ? agents['https:'] : agents['http:'],
        headers: {
          ...headers,
          [peerHeader]: pass,
          ...(body === undefined ? undefined : { 'content-length': Buffer.byteLength(body) }),
        },
        signal,
      })
      let isOpen = false
      asked.once('socket', (socket) => {
        if (!socket.connecting) return void (isOpen = true)
        const late = setTimeout(() => asked.destroy(lateConnection()), connectTimeoutMs)
        socket.once('close', () => clearTimeout(late))
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          isOpen = true
          clearTimeout(late)
        })
      })
      asked.once('response', (answer: IncomingMessage) => {
        // What breaks from here on is told to who reads the body.
        answer.on('error', () => {})
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers as FleetAnswer['headers'], body: answer })
      })
      asked.on('error', (error) =>
        reject(signal?.aborted ? signal.reason : networkFailure(error, `replica ${to.name}`, !isOpen)),
      )
      asked.end(body)
    })

  const lineTo = (member: Member): TellLine => {
    // Another process of the same name has heard nothing of what the one before it was told.
    const key = `${member.name}\0${member.instance}`
    const known = lines.get(key) ?? new TellLine(member, send, logger)
    lines.set(key, known)
    return known
  }

  return {
    send,
    link: (member, to, signal) =>
      dialLink(member, to, { passes, timeoutMs: linkTimeoutMs, caller: replicaCaller }, signal),
    tell: (told, to) => {
      if (closed) return
      const others = members().filter((each) => !each.isUs)
      for (const [key, line] of lines) if (!others.some((each) => line.isTo(each))) lines.delete(key)
      for (const member of to === 'all' ? others : [to]) if (member.address !== undefined) lineTo(member).say(told)
    },
    heard: (body, from) => {
      for (const { kind, content } of readTold(body))
        for (const listener of [...(listeners.get(kind) ?? [])]) {
          try {
            listener(content, from)
          } catch (error) {
            logger.log('error', `What replica ${from} told could not be used.`, { kind, reason: String(error) })
          }
        }
    },
    onTold: (kind, listener) => {
      const known = listeners.get(kind) ?? new Set()
      listeners.set(kind, known.add(listener))
      return () => void known.delete(listener)
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
      lines.clear()
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

// What one replica is behind with: past this the oldest are forgotten, since what they tell of is likely over.
const mostQueued = 256
const mostTold = 1000
const tellTimeoutMs = 5000

/** Whom replicas are when they speak for nobody but themselves. */
export const replicaCaller: Caller = Object.freeze({ id: 'replica', rights: Object.freeze([]) })

/** What one replica is told: in order, one request at a time, all that has gathered meanwhile together. */
class TellLine {
  #queue: Told[] = []
  #isBusy = false
  readonly #to: Member
  readonly #send: FleetPeers['send']
  readonly #logger: Logger

  constructor(to: Member, send: FleetPeers['send'], logger: Logger) {
    this.#to = to
    this.#send = send
    this.#logger = logger
  }

  isTo({ name, instance }: Member): boolean {
    return this.#to.name === name && this.#to.instance === instance
  }

  say(told: Told): void {
    if (this.#queue.push(told) > mostQueued) this.#queue.shift()
    if (!this.#isBusy) void this.#go()
  }

  async #go(): Promise<void> {
    this.#isBusy = true
    while (this.#queue.length > 0) {
      const body = JSON.stringify({ told: this.#queue.splice(0) })
      try {
        const signal = AbortSignal.timeout(tellTimeoutMs)
        const asked = { method: 'POST', path: '/tell', body, caller: replicaCaller, signal } as const
        const answer = await this.#send(this.#to, asked)
        for await (const _ of answer.body);
      } catch (error) {
        // It will find out otherwise, or is gone.
        this.#logger.log('debug', `Replica ${this.#to.name} could not be told.`, { reason: String(error) })
      }
    }
    this.#isBusy = false
  }
}

const readTold = (body: Buffer): readonly Told[] => {
  const value: unknown = JSON.parse(body.toString('utf8'))
  const told: readonly unknown[] = isRecord(value) && Array.isArray(value.told) ? value.told.slice(0, mostTold) : []
  return told.filter((each): each is Told => isRecord(each) && typeof each.kind === 'string' && isRecord(each.content))
}

const notListening = ({ name }: Member): string => `Replica ${name} does not listen.`
const lateConnection = (): Error => Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
