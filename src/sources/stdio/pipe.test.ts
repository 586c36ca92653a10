import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Input } from './pipe.js'

/** A pipe that keeps what each write brought, and takes it when told to. */
const pipe = () => {
  const writes: string[] = []
  const taken: (() => void)[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      writes.push(chunk.toString('utf8'))
      taken.push(done)
    },
  })
  return { stream, writes, take: () => taken.shift()?.() }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("a child's input", () => {
  it('leaves in one write per turn of the loop, whoever sent it', async () => {
    const { stream, writes } = pipe()
    const input = new Input(stream, 'cat', 1000)
    input.send('one')
    process.nextTick(() => input.send('zwö'))
    await Promise.resolve().then(() => input.send('three'))
    expect(writes).toEqual([])
    await turn()
    expect(writes.map((text) => text.split('\n').sort())).toEqual([['', 'one', 'three', 'zwö'].sort()])
  })

  it('counts what the child has not taken, also what has not been written yet', async () => {
    const { stream, take } = pipe()
    const input = new Input(stream, 'cat', 10)
    input.send('éé')
    expect(input.queuedBytes).toBe(5)
    expect(() => input.send('123456')).toThrow(expect.objectContaining({ code: 'OVERLOADED' }))
    await turn()
    expect(input.queuedBytes).toBe(5)
    take()
    await turn()
    expect(input.queuedBytes).toBe(0)
  })

  it('says what is left before it ends, and nothing after', async () => {
    const { stream, writes, take } = pipe()
    const input = new Input(stream, 'cat', 100)
    input.send('last')
    input.end()
    take()
    expect(writes).toEqual(['last\n'])
    expect(() => input.send('later')).toThrow(expect.objectContaining({ code: 'SOURCE_UNAVAILABLE' }))
    await turn()
    expect(writes).toHaveLength(1)
  })
})
