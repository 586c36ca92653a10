import { describe, expect, it } from 'vitest'
import { Cancel, type CancelSignal, eitherOf, once, toAbortSignal, until } from './cancel.js'

describe('cancel', () => {
  it('tells each listener once, with the reason there to read', () => {
    const cancel = new Cancel()
    const heard: unknown[] = []
    cancel.addEventListener('abort', () => heard.push(cancel.reason))
    cancel.addEventListener('abort', () => heard.push(cancel.aborted))
    cancel.abort('late')
    cancel.abort('again')
    expect([heard, cancel.reason]).toEqual([['late', true], 'late'])
  })

  it('forgets a listener that was removed', () => {
    const cancel = new Cancel()
    const heard: string[] = []
    const listener = () => heard.push('removed')
    cancel.addEventListener('abort', listener)
    cancel.removeEventListener('abort', listener)
    cancel.removeEventListener('abort', () => {})
    cancel.abort('late')
    expect(heard).toEqual([])
  })

  it('tells objects in the place of functions, in their order, as an AbortSignal does', () => {
    const controller = new AbortController()
    const cancel = new Cancel()
    for (const [signal, abort] of [
      [cancel as CancelSignal, () => cancel.abort('late')],
      [controller.signal, () => controller.abort('late')],
    ] as const) {
      const heard: string[] = []
      const listener = (name: string) => ({ handleEvent: () => void heard.push(name) })
      const [first, second, third] = [listener('first'), listener('second'), listener('third')]
      for (const each of [first, second, third]) signal.addEventListener('abort', each, once)
      signal.addEventListener('abort', () => heard.push('function'), once)
      signal.removeEventListener('abort', first)
      signal.removeEventListener('abort', third)
      abort()
      expect(heard).toEqual(['second', 'function'])
    }
  })

  it('becomes an AbortSignal that follows it, before and after the end', () => {
    const cancel = new Cancel()
    const before = toAbortSignal(cancel)
    expect(before).toBeInstanceOf(AbortSignal)
    cancel.abort('late')
    expect([before.aborted, before.reason]).toEqual([true, 'late'])
    expect(toAbortSignal(cancel).reason).toBe('late')
    expect(toAbortSignal(before)).toBe(before)
  })

  it('lets one leave what others wait for', async () => {
    const cancel = new Cancel()
    let finish: (value: string) => void = () => {}
    const shared = new Promise<string>((resolve) => {
      finish = resolve
    })
    const left = until(shared, cancel, (reason) => new Error(`left: ${String(reason)}`))
    const stayed = until(shared, new Cancel())
    cancel.abort('late')
    await expect(left).rejects.toThrow('left: late')
    finish('there')
    expect(await Promise.all([stayed, until(shared, undefined)])).toEqual(['there', 'there'])
    await expect(until(shared, cancel)).rejects.toBe('late')
  })
})

describe('either of two', () => {
  it('aborts with the first, by its reason', () => {
    const [one, other] = [new Cancel(), new Cancel()]
    const either = eitherOf(one, other)
    let told = 0
    const listener = (): void => {
      told += 1
      either.removeEventListener('abort', listener)
    }
    either.addEventListener('abort', listener)
    expect(either.aborted).toBe(false)
    other.abort('gone')
    one.abort('late')
    expect([told, either.aborted]).toEqual([1, true])
    expect(eitherOf(other, new Cancel()).reason).toBe('gone')
  })

  it('leaves nothing behind where one of them lives on', () => {
    const [call, connection] = [new Cancel(), new AbortController()]
    const either = eitherOf(call, connection.signal)
    let told = 0
    const listener = (): void => void (told += 1)
    either.addEventListener('abort', listener)
    either.removeEventListener('abort', listener)
    connection.abort()
    call.abort('done')
    expect(told).toBe(0)
  })

  it('of one is that one', () => {
    const one = new Cancel()
    expect(eitherOf(one, undefined)).toBe(one)
  })
})
