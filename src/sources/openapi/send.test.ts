import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { traceHeaders } from './send.js'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('trace headers', () => {
  it('carry the trace of a call, and leave its baggage at home', () => {
    expect(traceHeaders({ traceparent, tracestate: 'a=1,b=2', baggage: 'user=me' })).toEqual({
      traceparent,
      tracestate: 'a=1,b=2',
    })
    expect(traceHeaders(undefined)).toEqual({})
    expect(traceHeaders({ tracestate: 'a=1' })).toEqual({})
  })

  it('are never made of anything else that stands there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (parent, state) => {
        const made = traceHeaders({ traceparent: parent as never, tracestate: state as never })
        for (const value of Object.values(made)) expect(value).toMatch(/^[ -~]+$/)
      }),
    )
    for (const wrong of [`${traceparent}\r\nx: y`, `${traceparent} `, traceparent.toUpperCase()])
      expect(traceHeaders({ traceparent: wrong })).toEqual({})
    expect(traceHeaders({ traceparent, tracestate: 'a=1\nx: y' })).toEqual({ traceparent })
  })
})
