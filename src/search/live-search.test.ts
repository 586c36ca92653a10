import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'

const tool = (name: string, description: string) => defineTool({ name, description, handler: () => 'ok' })
const found = async (gateway: ReturnType<typeof createGateway>, query: string, caller = localCaller) =>
  (await gateway.search(query, {}, caller)).results.map(({ tool: { id } }) => id)

describe('a gateway that is searched', () => {
  it('finds tools that were there before the first search, and those that come after', async () => {
    const gateway = createGateway({ tools: [tool('send_mail', 'Sends an email to someone')] })
    expect(await found(gateway, 'send an email')).toEqual(['send_mail'])
    gateway.register(tool('make_coffee', 'Brews a cup of coffee'))
    expect(await found(gateway, 'brew coffee')).toEqual(['make_coffee'])
    gateway.unregister('make_coffee')
    expect(await found(gateway, 'brew coffee')).toEqual([])
  })

  it('asks the policy, also after its rules changed', async () => {
    const gateway = createGateway({ tools: [tool('send_mail', 'Sends an email')], rules: { deny: ['send_*'] } })
    expect(await found(gateway, 'send an email')).toEqual([])
    gateway.policy.update({})
    expect(await found(gateway, 'send an email')).toEqual(['send_mail'])
    expect(await found(gateway, 'send an email', { id: 'x', rights: [] })).toEqual([])
  })
})
