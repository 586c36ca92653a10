import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsFor, readTyped } from './call-arguments.js'

const tool = (properties: object) => ({
  definition: { name: 't', inputSchema: { type: 'object', properties } as never },
})

describe('arguments of a call', () => {
  it('are text where the schema says text, whatever they look like', async () => {
    const typed = await readTyped(['zip=01234', 'yes=true', 'list=[1]'], undefined)
    const text = { type: 'string' }
    expect(argumentsFor(tool({ zip: text, yes: text, list: text }), typed)).toEqual({
      zip: '01234',
      yes: 'true',
      list: '[1]',
    })
  })

  it('are what they say elsewhere; what is no JSON is text', async () => {
    const typed = await readTyped(['n=3', 'on=true', 'list=[1,2]', 'city=Oslo', 'eq=a=b', 'empty='], undefined)
    expect(argumentsFor(tool({ n: { type: 'number' } }), typed)).toEqual({
      n: 3,
      on: true,
      list: [1, 2],
      city: 'Oslo',
      eq: 'a=b',
      empty: '',
    })
  })

  it('are joined with one JSON object, over which a pair wins', async () => {
    expect(argumentsFor(tool({}), await readTyped(['a=2'], '{"a":1,"b":1}'))).toEqual({ a: 2, b: 1 })
  })

  it('are refused with an example where they are neither', async () => {
    await expect(readTyped(['=x'], undefined)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
    await expect(readTyped([], '[1]')).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
  })

  it('keep every text as it was typed, for a tool that wants text', async () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/)
    await fc.assert(
      fc.asyncProperty(name, fc.string(), async (key, value) => {
        const typed = await readTyped([`${key}=${value}`], undefined)
        expect(argumentsFor(tool({ [key]: { type: 'string' } }), typed)).toEqual({ [key]: value })
      }),
    )
  })
})
