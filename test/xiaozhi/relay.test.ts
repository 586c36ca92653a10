import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { fixtureTools } from '../helpers/fixture-tools.js'
import { type Relay, startRelay } from '../helpers/relay.js'
import { settle } from '../helpers/virtual-clock.js'
import { Robot } from './robot.js'
import { endpointAt, type LinkFixture, startLink } from './start-link.js'
import { cloudTranscript, serverTranscript } from './transcripts.js'

const agent = 'd41d8cd98f00b204e9800998ecf8427e'
let relay: Relay
let link: LinkFixture
const robots: Robot[] = []

beforeEach(async () => {
  relay = await startRelay()
  link = startLink([endpointAt(relay.toolUrl(agent))], { gatewayOptions: { tools: fixtureTools() } })
  await relay.registered(agent)
})
afterEach(async () => {
  for (const robot of robots.splice(0)) robot.close()
  await link.close()
  await relay.close()
})
const robotAt = async (): Promise<Robot> => {
  const robot = await Robot.connect(relay.robotUrl(agent))
  robots.push(robot)
  return robot
}
/** Connects as xiaozhi-esp32-server does and gives back the names it lists. */
const listFrom = async (robot: Robot): Promise<string[]> => {
  for (const message of serverTranscript) robot.send(message)
  const answers = [await robot.next(), await robot.next()]
  return answers.find(({ id }) => id === 2).result.tools.map((tool: any) => tool.name)
}

describe('through a self-hosted relay', () => {
  it('X3 is reached by the token of the agent, and the relay is healthy', async () => {
    expect((await fetch(relay.healthUrl())).status).toBe(200)
    expect(relay.isRegistered(agent)).toBe(true)
  })

  it('X5 X7 serves a pipelined start through rewritten ids', async () => {
    const robot = await robotAt()
    expect(await listFrom(robot)).toContain('add')
    const { id, result } = await robot.ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, 1)
    expect({ id, text: result.content[0].text }).toEqual({ id: 1, text: '3' })
    expect((await robot.ask('ping', {}, 'text-id')).id).toBe('text-id')
  })

  it('X7 answers id 0 too, even where the relay loses the answer', async () => {
    const robot = await robotAt()
    robot.send(cloudTranscript('add', {})[0])
    expect((await robot.ask('ping', {}, 5)).id).toBe(5)
    expect(relay.dropped.map((frame) => JSON.parse(frame).id)).toEqual([0])
  })

  it('serves several robots of one agent, each with its own answers', async () => {
    const both = [await robotAt(), await robotAt()]
    const answers = await Promise.all(
      both.map((robot, index) => robot.ask('tools/call', { name: 'add', arguments: { a: index, b: 10 } }, 1)),
    )
    expect(answers.map(({ result }) => result.content[0].text)).toEqual(['10', '11'])
  })

  it('X7 has a changed list read again by a polite reconnect, since the relay drops the notification', async () => {
    const robot = await robotAt()
    expect(await listFrom(robot)).not.toContain('fresh')
    link.gateway.register(defineTool({ name: 'fresh', handler: () => 'new' }))
    await link.clock.advance(0)
    while (relay.dropped.length === 0) await settle()
    expect(JSON.parse(relay.dropped[0]!).method).toBe('notifications/tools/list_changed')
    await link.clock.advance(5000)
    await link.until(({ state }) => state === 'waiting')
    await link.clock.advance(500)
    await relay.registered(agent, 2)
    expect(await listFrom(robot)).toContain('fresh')
    expect(relay.isRegistered(agent)).toBe(true)
    expect(link.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })

  it('X7 does not reconnect where nobody has read the list, or where it was read in time', async () => {
    link.gateway.register(defineTool({ name: 'early', handler: () => '' }))
    await link.clock.advance(20_000)
    const robot = await robotAt()
    await listFrom(robot)
    link.gateway.register(defineTool({ name: 'fresh', handler: () => '' }))
    await link.clock.advance(1000)
    expect(await listFrom(robot)).toContain('fresh')
    await link.clock.advance(20_000)
    expect(relay.registrations.get(agent)).toBe(1)
  })

  it('X8 is replaced by a second program, loses the place to nobody, and comes back', async () => {
    const rival = startLink([endpointAt(relay.toolUrl(agent))], { clock: link.clock, gatewayOptions: { tools: [] } })
    try {
      const { reason, nextTryAt } = await link.until(({ state }) => state === 'waiting')
      expect(reason).toContain('新连接替换')
      // The relay's own mistake: the end of the first threw the second out of its list.
      const robot = await robotAt()
      expect((await robot.ask('tools/list')).error.code).toBe(-32001)
      await link.clock.advance(nextTryAt! - link.clock.wall())
      await relay.registered(agent, 3)
      expect(await listFrom(robot)).toContain('add')
    } finally {
      await rival.close()
    }
  })

  it('X9 X10 a wrong token is refused with 1008, and robots hear that no tools are there', async () => {
    const other = startLink([endpointAt(relay.toolUrl(agent).replace(/token=.*/, 'token=not-a-token-at-all'))], {
      clock: link.clock,
    })
    const { alarm, code } = await other.until(({ state }) => state === 'waiting')
    expect(code).toBe(4002)
    expect(alarm).toContain('token is not accepted')
    await other.close()
    const lonely = await Robot.connect(relay.robotUrl('another-agent'))
    robots.push(lonely)
    expect((await lonely.ask('tools/list')).error.code).toBe(-32001)
  })
})
