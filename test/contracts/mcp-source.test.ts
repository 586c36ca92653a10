import { afterAll } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import type { McpSource } from '../../src/sources/mcp-source.js'
import { createSseSource } from '../../src/sources/sse/sse.js'
import { createStdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { createWebSocketSource } from '../../src/sources/websocket/websocket.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import {
  fixtureCommand,
  type NetworkFixture,
  type RunningFixture,
  type StdioFixture,
  startFixture,
} from '../helpers/fixture-servers.js'
import { describeSource, type SourceUnderTest, sourceCall } from './source.js'

const common = {
  name: 'fixture',
  clientInfo: { name: 'contract', version: '1' },
  clock: systemClock,
  logger: silentLogger,
}

/** The tool `grow` makes the server announce a new list, which the source then has to hear of. */
const underTest = (source: McpSource, cleanup: () => unknown, dropsProto = true): SourceUnderTest => ({
  source,
  dropsProto,
  addExtra: () => source.call('grow', {}, sourceCall()),
  cleanup,
})

const describeStdio = (name: string, fixture: StdioFixture): void =>
  describeSource(name, () => {
    const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
    const source = createStdioSource({ ...common, ...fixtureCommand(fixture), host })
    return underTest(source, () => host.close(), fixture !== 'stdio-raw')
  })

const describeNetwork = (name: string, fixture: NetworkFixture, make: (url: string) => McpSource): void => {
  let running: Promise<RunningFixture> | undefined
  afterAll(async () => (await running)?.stop())
  describeSource(name, async () => {
    running ??= startFixture(fixture)
    const { url, reset } = await running
    return underTest(make(url), reset)
  })
}

describeStdio('MCP over stdio, no SDK', 'stdio-raw')
describeStdio('MCP over stdio, legacy', 'stdio-legacy')
describeStdio('MCP over stdio, modern', 'stdio-modern')
describeNetwork('MCP over HTTP, legacy', 'http-legacy', (url) => createHttpSource({ ...common, url }))
describeNetwork('MCP over HTTP, modern', 'http-modern', (url) => createHttpSource({ ...common, url }))
describeNetwork('MCP over HTTP+SSE', 'sse', (url) => createSseSource({ ...common, url }))
describeNetwork('MCP over WebSocket', 'websocket', (url) => createWebSocketSource({ ...common, url }))
