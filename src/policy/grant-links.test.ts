import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { openJsonDocuments } from '../storage/json/json-documents.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import type { SharedDocuments } from '../storage/store.js'
import type { GrantAnswer } from './grant-answers.js'
import { GrantBook } from './grant-book.js'
import { GrantLinks } from './grant-links.js'
import { GrantRows } from './grant-rows.js'

const minute = 60_000
const call = (amount: number) => ({
  ...{ caller: 'key:agent', profile: 'default', tool: 'refund', definition: 'd', rules: ['money'], args: { amount } },
  terms: { by: ['operator'] as const, withinMs: 15 * minute, remember: ['once'] as const, waitMs: 0 },
})

const open = (documents: SharedDocuments, clock: VirtualClock) => {
  const book = new GrantBook({ documents, clock })
  const links = new GrantLinks(new GrantRows(documents))
  const answer = (id: string, link: string, decision: 'once' | 'deny' = 'once'): Promise<string> => {
    const given: GrantAnswer = { decision, by: { id: 'webhook-link' }, link }
    return book.answer(id, given).then(
      ({ state }) => state,
      (error) => error.code,
    )
  }
  const asked = async (amount: number): Promise<string> => {
    await expect(book.admit(call(amount))).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' })
    return (await book.list()).find(({ args }) => args === `{"amount":${amount}}`)!.id
  }
  return { book, links, answer, asked, now: () => clock.wall() }
}

type Open = ReturnType<typeof open>
const newFolder = temporaryFolders()

const alone = () => {
  const clock = new VirtualClock()
  return { clock, ...open(createMemoryDocuments(), clock) }
}

describe('links to requests', () => {
  it('are 256 random bits of which only a hash is kept, and listed nowhere', async () => {
    const documents = createMemoryDocuments()
    const { book, links, asked, now } = open(documents, new VirtualClock())
    const id = await asked(1)
    const link = (await links.make(id, now()))!
    expect(Buffer.from(link, 'base64url')).toHaveLength(32)
    expect(await links.find(link, now())).toBe(id)
    expect(JSON.stringify([await documents.all(), await book.list()])).not.toContain(link)
    expect((await book.list())[0]).toMatchObject({ link: undefined })
  })

  it('answer their own request alone', async () => {
    const { links, asked, answer, now } = alone()
    const [one, two] = [await asked(1), await asked(2)]
    const link = (await links.make(one, now()))!
    await links.make(two, now())
    expect(await answer(two, link)).toBe('CONFIG_CONFLICT')
    expect(await answer(one, link)).toBe('granted')
  })

  it('count once, whatever the second says, and nothing is left of them', async () => {
    const documents = createMemoryDocuments()
    const { links, asked, answer, now } = open(documents, new VirtualClock())
    const id = await asked(1)
    const link = (await links.make(id, now()))!
    const ends = await Promise.all([answer(id, link), answer(id, link, 'deny'), answer(id, link)])
    expect(ends.sort()).toEqual(['CONFIG_CONFLICT', 'CONFIG_CONFLICT', 'granted'])
    expect(await links.find(link, now())).toBeUndefined()
    expect(JSON.stringify(await documents.all())).not.toContain('"link"')
  })

  it('end with their request, and when a clock is set back before it', async () => {
    const { clock, links, asked, answer, now } = alone()
    const id = await asked(1)
    const link = (await links.make(id, now()))!
    expect(await links.find(link, now() - 2 * minute)).toBeUndefined()
    await clock.advance(15 * minute)
    expect(await links.find(link, now())).toBeUndefined()
    expect(await answer(id, link)).toBe('CONFIG_CONFLICT')
    expect(await links.make(id, now())).toBeUndefined()
    expect(await links.make('nobody', now())).toBeUndefined()
  })

  it('are taken in one place by what is made in another', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    const [here, there] = [1, 2].map(() => open(openJsonDocuments({ folder, kind: 'call-grants' }), clock)) as [
      Open,
      Open,
    ]
    const id = await here.asked(1)
    const link = (await here.links.make(id, here.now()))!
    expect(await there.links.find(link, there.now())).toBe(id)
    const ends = await Promise.all([here.answer(id, link), there.answer(id, link, 'deny')])
    expect(ends.filter((end) => end === 'CONFIG_CONFLICT')).toHaveLength(1)
  })

  it.each(['', 'x', 'A'.repeat(43), '../grants', `${'A'.repeat(42)}=`])('are not %j', async (guess) => {
    const { links, asked, now } = alone()
    await links.make(await asked(1), now())
    expect(await links.find(guess, now())).toBeUndefined()
  })
})
