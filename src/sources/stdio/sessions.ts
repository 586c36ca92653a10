import type { ClientPeer, ClientPeerOptions } from '../../mcp/client/client-peer.js'
import { createLineTransport } from '../../mcp/client/line-transport.js'
import { createClientPeer, type SharablePeer } from '../../mcp/client/peer.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { markedLogger } from '../../telemetry/logger.js'
import { startChild } from './child.js'
import type { ChildCommand } from './command.js'
import type { InheritedEnvironment } from './environment.js'
import { downloadReason } from './failure.js'
import { createInstance } from './instance.js'
import { fetcherOf } from './launcher.js'
import { type GuardReport, isGuarded } from './leash/guards.js'
import { createPool, type Shareable } from './pool.js'
import { createReaper } from './reaper.js'
import { defaultDownloadTimeoutMs } from './start-limit.js'
import type { StopTimes } from './stop.js'

/** The processes of one gateway: shared by command, guarded by one reaper, all ended together. */
export interface StdioHost {
  /**
   * A conversation with the process of this command, which is started or joined. Closing it gives it up; before it is
   * there, aborting the signal does.
   */
  connect(command: ChildCommand, options: ClientPeerOptions, signal?: AbortSignal): Promise<ClientPeer>
  readonly size: number
  /** What each process has yet to read of its input, under the source that started it. */
  unread(): readonly { readonly source: string; readonly bytes: number }[]
  /** What keeps the processes of this command; undefined until the first guarded one was started. */
  guardsOf?(command: ChildCommand): GuardReport | undefined
  close(): Promise<void>
}

export interface StdioHostOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly hostEnv: InheritedEnvironment
  readonly stopTimes?: Partial<StopTimes> | undefined
}

interface StartCommand extends ChildCommand {
  /** Read when a process is started; who joins one takes it as it is. */
  readonly peerOptions: ClientPeerOptions
}

interface SharedPeer extends Shareable {
  readonly peer: SharablePeer
  readonly users: Set<ClientPeerOptions>
}

export const createStdioHost = ({ clock, logger, hostEnv, stopTimes }: StdioHostOptions): StdioHost => {
  const reaper = createReaper({ instance: createInstance(), clock, logger })
  // Loaded with the first child that is guarded.
  let leashes: typeof import('./leash/leash.js') | undefined
  const inputs = new Map<ClientPeer, { readonly source: string; readonly input: { readonly queuedBytes: number } }>()

  const start = async ({ peerOptions, ...command }: StartCommand, signal: AbortSignal): Promise<SharedPeer> => {
    const users = new Set<ClientPeerOptions>()
    const ends = new Set<(reason: Error | undefined) => void>()
    const fetcher = fetcherOf(command)
    const startTimeoutMs = peerOptions.connectTimeoutMs ?? 30_000
    if (isGuarded(command)) leashes ??= await import('./leash/leash.js')
    const child = await startChild({
      ...command,
      clock,
      logger: command.source === undefined ? logger : markedLogger(logger, command.source),
      reaper,
      hostEnv,
      stopTimes,
      startTimeoutMs,
      onDownload: (isOn) => peerOptions.onWaiting?.(isOn ? downloadReason(fetcher!) : undefined),
    })
    const peer = createClientPeer(createLineTransport(child), {
      ...peerOptions,
      // The process knows what it waits for, and is ended in time; this is for the case that it is not.
      connectTimeoutMs: startTimeoutMs + (fetcher ? (command.downloadTimeoutMs ?? defaultDownloadTimeoutMs) : 0),
      onNotification: (message) => each(users, (user) => user.onNotification?.(message)),
      onResync: () => each(users, (user) => user.onResync?.()),
      onClose: (reason) => {
        each(users, (user) => user.onClose?.(reason))
        for (const end of ends) end(reason)
        inputs.delete(peer)
      },
    })
    inputs.set(peer, { source: command.source ?? command.command, input: child })
    const giveUp = (): void => void peer.close()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      signal.throwIfAborted()
      await peer.connect()
    } catch (error) {
      inputs.delete(peer)
      await peer.close()
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    child.started()
    return {
      peer,
      users,
      onClose: (listener) => {
        ends.add(listener)
        return () => void ends.delete(listener)
      },
      close: () => {
        inputs.delete(peer)
        return peer.close()
      },
    }
  }

  const pool = createPool(start)
  return {
    connect: async (command, peerOptions, signal) => {
      const lease = await pool.acquire({ ...command, peerOptions }, signal)
      lease.value.users.add(peerOptions)
      return lease.value.peer.leased(async () => {
        lease.value.users.delete(peerOptions)
        await lease.release()
      })
    },
    get size() {
      return pool.size
    },
    unread: () => [...inputs.values()].map(({ source, input }) => ({ source, bytes: input.queuedBytes })),
    guardsOf: (command) => leashes?.guardReport(command),
    close: async () => {
      await pool.close()
      await reaper.close()
      leashes?.removePrivateFolder(reaper.instance.mark)
    },
  }
}

const each = (users: ReadonlySet<ClientPeerOptions>, tell: (user: ClientPeerOptions) => void): void => {
  for (const user of [...users]) tell(user)
}
