import { expect, it } from 'vitest'
import { describePostgres } from '../helpers/postgres.js'
import { ask, clientOf, openReplicas, register, textOf, until } from './replicas.js'

describePostgres('a tool that is registered at one replica', () => {
  it('is read at another at once, whoever wrote it where', async () => {
    await using fleet = await openReplicas(3)
    for (let round = 0; round < 10; round++) {
      const [writer, ...readers] = [0, 1, 2].map((n) => fleet.boards[(round + n) % 3]!)
      expect((await register(writer!, `made-${round}`)).ok).toBe(true)
      const found = await Promise.all(
        readers.map((board) => ask(board, 'get_tool_definition', { tool_name: `made-${round}` })),
      )
      for (const outcome of found) expect(textOf(outcome)).toContain(`Registers made-${round}`)
      expect((await ask(readers[0]!, 'unregister_tool', { tool_name: `made-${round}` })).ok).toBe(true)
    }
  })

  it('is announced on the streams of the others, and is gone from them when it is taken away', async () => {
    await using fleet = await openReplicas(3)
    const [first, second, third] = fleet.boards
    const clients = [await clientOf(second!, 'legacy'), await clientOf(third!, 'modern')]
    try {
      const told = Promise.all(clients.map((client) => client.changed()))
      await register(first!, 'announced')
      await told
      const searched = await clients[1]!.call('search_tools', { query: 'announced' })
      expect(searched.text).toContain('announced')
      const gone = Promise.all(clients.map((client) => client.changed()))
      await ask(first!, 'unregister_tool', { tool_name: 'announced' })
      await gone
      expect(third!.gateway.find('announced')).toBeUndefined()
    } finally {
      await Promise.all(clients.map((client) => client.close()))
    }
  })

  it('is the first who asked for its name, of three who ask at the same moment', async () => {
    await using fleet = await openReplicas(3)
    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.all(
        fleet.boards.map((board, index) => register(board, `raced-${round}`, { description: `By ${index}` })),
      )
      const texts = outcomes.map(textOf)
      expect(texts.filter((text) => text.includes('已注册'))).toHaveLength(1)
      const winner = texts.findIndex((text) => text.includes('已注册'))
      for (const board of fleet.boards) {
        const shown = await ask(board, 'get_tool_definition', { tool_name: `raced-${round}` })
        expect(textOf(shown)).toContain(`By ${winner}`)
      }
    }
  })

  it('is there for a replica that starts while others write, whichever came first', async () => {
    await using fleet = await openReplicas(1)
    const [first] = fleet.boards
    const names = Array.from({ length: 40 }, (_, n) => `early-${n}`)
    const writing = (async () => {
      for (const name of names) {
        await register(first!, name)
        if (Number(name.split('-')[1]) % 4 === 0) await ask(first!, 'unregister_tool', { tool_name: name })
      }
    })()
    const late = await fleet.open()
    await writing
    const wanted = names.filter((name) => Number(name.split('-')[1]) % 4 !== 0)
    const listed = () =>
      late.gateway.catalog
        .snapshot()
        .tools.filter(({ source }) => source === 'registered')
        .map(({ id }) => id)
        .sort()
    await until(late, () => listed().length === wanted.length)
    expect(listed()).toEqual([...wanted].sort())
  })

  it('is called by its name at another replica and refused as what it is, not as unknown', async () => {
    await using fleet = await openReplicas(2)
    const [first, second] = fleet.boards
    await register(first!, 'only-words')
    expect(textOf(await ask(second!, 'only-words'))).toBe('TOOL_NOT_CALLABLE')
    expect(textOf(await ask(second!, 'no-such-tool'))).toBe('TOOL_NOT_FOUND')
  })
})
