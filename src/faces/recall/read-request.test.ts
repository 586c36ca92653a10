import { describe, expect, it } from 'vitest'
import { readAccount, readActionQuery, readIdentities } from './read-request.js'

describe('identities (004 compat 10)', () => {
  it.each([
    ['two valid ones', { _instance_identities: [{ id: 1 }, { id: 2 }] }, [{ id: 1 }, { id: 2 }]],
    ['an empty one beside', { _instance_identities: [{}, { id: 2 }] }, [{ id: 2 }]],
    ['plural beats singular', { _instance_identities: [{ id: 1 }], _instance_identity: { id: 9 } }, [{ id: 1 }]],
    ['all empty', { _instance_identities: [{}, {}] }, []],
    ['the singular alone', { _instance_identity: { id: 3 } }, [{ id: 3 }]],
    ['an empty singular', { _instance_identity: {} }, []],
    ['the name of the first version', { unique_identity: { id: 4 } }, [{ id: 4 }]],
    ['nothing', {}, []],
  ])('%s', (_name, body, wanted) => {
    expect(readIdentities(body)).toEqual(wanted)
  })

  it('must be objects, and not too many', () => {
    expect(() => readIdentities({ _instance_identities: ['x'] })).toThrow(/identify/)
    expect(() => readIdentities({ _instance_identities: Array.from({ length: 1001 }, () => ({ a: 1 })) })).toThrow(
      /1000/,
    )
  })
})

describe('an action query', () => {
  it('takes its ids from the body, or from the query as the first version did', () => {
    const query = new URLSearchParams('kn_id=q&at_id=r')
    expect(readActionQuery({ kn_id: 'k' }, query)).toEqual({ knId: 'k', atId: 'r', identities: [] })
  })

  it.each([[{}], [{ kn_id: '' }], [{ kn_id: 1, at_id: 'x' }], [{ kn_id: 'x'.repeat(600), at_id: 'x' }]])(
    'refuses %j with 400',
    (body) => {
      expect(() => readActionQuery(body, new URLSearchParams())).toThrow(expect.objectContaining({ status: 400 }))
    },
  )
})

describe('the account (C20)', () => {
  const headers = { 'x-account-id': 'a', 'x-account-type': 'system', user_id: 'older' }

  it('is believed on the private side, the older header first', () => {
    expect(readAccount(headers, true, 'me')).toEqual({ id: 'older', type: 'system', businessDomain: 'bd_public' })
  })

  it('is the credential’s everywhere else', () => {
    expect(readAccount(headers, false, 'me')).toEqual({ id: 'me', type: 'app', businessDomain: 'bd_public' })
  })
})
