import { describe, expect, it } from 'vitest'
import { type Caller, localCaller } from '../model/caller.js'
import type { SubjectOf } from '../sources/oauth/exchange.js'
import { silentLogger } from '../telemetry/logger.js'
import { joinPeople } from './caller-sign-ins.js'

const open = (secrets: object | undefined, endCaller: (id: string) => Promise<number> = async () => 0) => {
  let subjectOf: SubjectOf = async () => undefined
  const ended: ((id: string) => void)[] = []
  const people = {
    sessions: { secretsOf: async () => secrets },
    onEnd: (listener: (id: string) => void) => void ended.push(listener),
  }
  joinPeople({ vouchBy: (found) => void (subjectOf = found), endCaller }, people as never, silentLogger)
  return {
    subjectOf: (caller: Caller) => subjectOf(caller),
    end: (id: string) => ended.forEach((each) => void each(id)),
  }
}

describe('what people have at sources', () => {
  it('is vouched for by the token that was shown, else by what their sign-in brought', async () => {
    const { subjectOf } = open({ accessToken: 'a', idToken: 'i', refreshToken: 'never' })
    expect(await subjectOf({ ...localCaller, shown: () => 'shown', session: 's' })).toEqual({ accessToken: 'shown' })
    expect(await subjectOf({ ...localCaller, session: 's' })).toEqual({ accessToken: 'a', idToken: 'i' })
    expect(await subjectOf(localCaller)).toBeUndefined()
    expect(await open(undefined).subjectOf({ ...localCaller, session: 's' })).toBeUndefined()
  })

  it('goes with them', async () => {
    const gone: string[] = []
    const { end } = open(undefined, async (id) => gone.push(id))
    end('person:a')
    expect(gone).toEqual(['person:a'])
  })

  it('is written down by nobody who writes down a caller', () => {
    const caller: Caller = { ...localCaller, shown: () => 'canary' }
    expect(JSON.stringify(caller)).not.toContain('canary')
  })
})
