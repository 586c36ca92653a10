import { describe, expect, it } from 'vitest'
import { RunningRequests } from './in-flight.js'

describe('the requests of one client that are being answered', () => {
  it('are cancelled by their id, whatever came and went around them', () => {
    const running = new RunningRequests(10)
    const [first, second, third] = [running.begin(1)!, running.begin(2)!, running.begin(3)!]
    running.end(second)
    expect(running.size).toBe(2)
    expect(running.cancel(2)).toBe(false)
    expect(running.cancel(1)).toBe(true)
    expect([first.aborted, second.aborted, third.aborted]).toEqual([true, false, false])
  })

  it('are told apart by the kind of id, and share one where a client says it twice', () => {
    const running = new RunningRequests(10)
    const [number, text, again] = [running.begin(1)!, running.begin('1')!, running.begin(1)!]
    expect(running.cancel(1)).toBe(true)
    expect([number.aborted, text.aborted, again.aborted]).toEqual([true, false, true])
  })

  it('are so many, and one that ends twice makes room once', () => {
    const running = new RunningRequests(2)
    const first = running.begin(1)!
    running.begin(2)
    expect(running.begin(3)).toBeUndefined()
    running.end(first)
    running.end(first)
    expect(running.begin(4)).toBeDefined()
    expect(running.begin(5)).toBeUndefined()
  })

  it('are cancelled by the sign-in they came by, and no others', () => {
    const running = new RunningRequests(10)
    const [mine, other, none] = [running.begin(1, 'mine')!, running.begin(2, 'other')!, running.begin(3)!]
    running.cancelSignIn('mine')
    expect([mine.aborted, other.aborted, none.aborted]).toEqual([true, false, false])
  })

  it('may end while all are cancelled', () => {
    const running = new RunningRequests(10)
    const requests = [1, 2, 3].map((id) => running.begin(id)!)
    for (const request of requests) request.addEventListener('abort', () => running.end(request))
    running.cancelAll()
    expect([running.size, requests.every(({ aborted }) => aborted)]).toEqual([0, true])
  })
})
