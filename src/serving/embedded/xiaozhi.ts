import { plainProfile } from '../../faces/mcp/profile.js'
import { createXiaozhiCarrier } from '../../faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../../faces/mcp/xiaozhi/endpoint.js'
import type { EndpointStatus } from '../../faces/mcp/xiaozhi/status.js'
import { linkViews } from '../../faces/mcp/xiaozhi/views.js'
import type { XiaozhiLinkOptions } from './options.js'
import type { Opened, Stage } from './stage.js'

/** Dials out to devices and serves the board there, again and again until closed. */
export const openXiaozhi = (
  stage: Stage,
  links: readonly XiaozhiLinkOptions[],
): Opened & { status(): readonly EndpointStatus[] } => {
  const { face, clock, logger } = stage
  const carrier = createXiaozhiCarrier({
    face,
    clock,
    logger,
    initialBackoffMs: 1000,
    maxBackoffMs: 60_000,
    endpoints: links.map((link) => toEndpoint(link, stage)),
  })
  carrier.start()
  return { status: carrier.status, close: () => carrier.close() }
}

const toEndpoint = (link: XiaozhiLinkOptions, { findProfile }: Stage): EndpointSettings => ({
  url: link.url,
  name: link.name,
  profile: link.profile ?? 'default',
  ...linkViews(findProfile(link.profile ?? 'default') ?? plainProfile),
  maxResultBytes: link.maxResultBytes ?? 1024,
  maxListBytes: link.maxListBytes ?? 10_240,
  callTimeoutMs: link.callTimeoutMs,
})
