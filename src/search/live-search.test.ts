import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import { createFunctionsSource } from '../sources/functions/functions.js'

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

  it('is not held up by many tools, and misses none that change while they are read', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => tool(`other_${i}`, `Does thing ${i}`))
    const gateway = createGateway({
      tools: [...many, tool('send_mail', 'Sends an email'), tool('old_one', 'Boils eggs')],
    })
    const asked = found(gateway, 'send an email')
    let turns = 0
    const count = (): void => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    await import('./search.js')
    gateway.unregister('old_one')
    gateway.register(tool('make_coffee', 'Brews a cup of coffee'))
    expect((await asked)[0]).toBe('send_mail')
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(1)
    expect((await found(gateway, 'brew coffee'))[0]).toBe('make_coffee')
    expect(await found(gateway, 'boil eggs')).not.toContain('old_one')
  })

  it('is not held up by many tools that come at once later, and finds the last of them at once', async () => {
    const wordy = Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ')
    const many = Array.from({ length: 1_000 }, (_, i) => tool(`other_${i}`, `Does thing ${i}: ${wordy}`))
    const gateway = createGateway({ tools: [tool('send_mail', 'Sends an email')] })
    expect(await found(gateway, 'send an email')).toEqual(['send_mail'])
    let turns = 0
    const count = (): void => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const far = createFunctionsSource()
    for (const each of [...many, tool('make_coffee', 'Brews coffee')]) far.register(each)
    await gateway.addSource('far', far)
    expect((await found(gateway, 'brew coffee'))[0]).toBe('far.make_coffee')
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(10)
  })

  it('asks the policy, also after its rules changed', async () => {
    const gateway = createGateway({ tools: [tool('send_mail', 'Sends an email')], rules: { deny: ['send_*'] } })
    expect(await found(gateway, 'send an email')).toEqual([])
    gateway.policy.update({})
    expect(await found(gateway, 'send an email')).toEqual(['send_mail'])
    expect(await found(gateway, 'send an email', { id: 'x', rights: [] })).toEqual([])
  })
})
