import type { EndpointStatus } from '../../faces/mcp/xiaozhi/status.js'
import type { Gateway } from '../../gateway.js'
import { systemClock } from '../../model/clock.js'
import { ownImplementation } from '../../model/version.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { ServeCommon, ServeOptions, XiaozhiLinkOptions } from './options.js'
import type { Opened, Stage } from './stage.js'

/** A gateway that others can reach. Closing it leaves the gateway itself as it is. */
export interface Served extends AsyncDisposable {
  /** Where MCP is served; undefined without HTTP. */
  readonly url: string | undefined
  /** Resolves when the client at the other end of stdio has left; without stdio, when this is closed. */
  readonly ended: Promise<void>
  /** How the devices are reached. */
  xiaozhi(): readonly EndpointStatus[]
  /** Running requests have `graceMs` (default 5,000) to end. Idempotent. */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>
}

/**
 * Serves a gateway over HTTP (the default), over stdio, to xiaozhi devices, or all at once; clients of both protocol eras.
 * Safe by default: loopback only, Host and Origin checked. Rejects with CONFIG_INVALID where an address cannot be had, or
 * would be open to other machines without anybody asking who they are.
 */
export const serve = async (gateway: Gateway, options: ServeOptions = {}): Promise<Served> => {
  const { stdio, xiaozhi } = options
  const links = linksOf(xiaozhi)
  const http = options.http ?? (!stdio && links.length === 0)
  const stage = await openStage(gateway, options)
  const opened: Opened[] = []
  const closeAll = async (graceMs: number): Promise<void> => {
    stage.face.close()
    await Promise.all(opened.map((each) => each.close(graceMs)))
  }
  try {
    const web = http ? await (await import('./http.js')).openHttp(stage, http === true ? {} : http) : undefined
    if (web) opened.push(web)
    const pipes = stdio ? (await import('./stdio.js')).openStdio(stage, stdio === true ? {} : stdio) : undefined
    if (pipes) opened.push(pipes)
    const dialled = links.length > 0 ? (await import('./xiaozhi.js')).openXiaozhi(stage, links) : undefined
    if (dialled) opened.push(dialled)
    return toServed(closeAll, web?.url, pipes?.ended, dialled?.status)
  } catch (error) {
    await closeAll(0)
    throw error
  }
}

const linksOf = (xiaozhi: ServeOptions['xiaozhi']): readonly XiaozhiLinkOptions[] => {
  if (xiaozhi === undefined) return []
  if (typeof xiaozhi === 'string') return [{ url: xiaozhi }]
  return 'url' in xiaozhi ? [xiaozhi] : xiaozhi
}

const openStage = async (gateway: Gateway, options: ServeCommon): Promise<Stage> => {
  const { clock = systemClock, logger = silentLogger, instructions } = options
  // Loaded with the first server: most users of the library never have one.
  const [{ createMcpFace }, { mountOwnTools }, { findProfileIn }] = await Promise.all([
    import('../../faces/mcp/face.js'),
    import('./own-tools.js'),
    import('./profiles.js'),
  ])
  const findProfile = findProfileIn(options.profiles)
  await mountOwnTools(gateway, findProfile)
  const face = createMcpFace({ gateway, serverInfo: options.serverInfo ?? thisPackage(), instructions, clock })
  return { gateway, face, findProfile, clock, logger }
}

const toServed = (
  closeAll: (graceMs: number) => Promise<void>,
  url: string | undefined,
  left: Promise<void> | undefined,
  status: (() => readonly EndpointStatus[]) | undefined,
): Served => {
  let closing: Promise<void> | undefined
  let tellClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve
  })
  const close: Served['close'] = ({ graceMs = 5000 } = {}) => (closing ??= closeAll(graceMs).finally(tellClosed))
  return { url, ended: left ?? closed, xiaozhi: () => status?.() ?? [], close, [Symbol.asyncDispose]: () => close() }
}

const thisPackage = () => ({ ...ownImplementation(), title: 'Pegboard' })
