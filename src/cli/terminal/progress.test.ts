import { describe, expect, it, vi } from 'vitest'
import { settledWithProgress } from './progress.js'

const boardOf = (names: readonly string[]) => {
  const { promise, resolve } = deferred()
  const sources = () => names.map((name) => ({ name, status: { state: 'starting' } }))
  return { board: { gateway: { sources, onSource: () => () => {} }, settled: () => promise } as never, end: resolve }
}
const deferred = () => {
  let resolve!: () => void
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

describe('progress', () => {
  it('names what is waited for on a terminal, and leaves nothing behind', async () => {
    vi.useFakeTimers()
    const written: string[] = []
    const { board, end } = boardOf(['slow', 'slower'])
    const done = settledWithProgress(board, {
      isTTY: true,
      columns: 80,
      write: (text: string) => written.push(text) > 0,
    } as never)
    vi.advanceTimersByTime(400)
    expect(written.join('')).toContain('Waiting for slow, slower …')
    end()
    await done
    expect(written.at(-1)).toBe('\r\u001b[2K')
    vi.useRealTimers()
  })

  it('says in a pipe, once, what a long wait is for (U10)', async () => {
    vi.useFakeTimers()
    const { board, end } = boardOf(['files'])
    const write = vi.fn()
    const done = settledWithProgress(board, { isTTY: false, write } as never)
    vi.advanceTimersByTime(4999)
    expect(write).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60_000)
    expect(write.mock.calls).toEqual([['pegboard: still waiting for files; a first start may have to download it\n']])
    end()
    await done
    vi.useRealTimers()
  })

  it('is silent in a pipe where the wait is short', async () => {
    const { board, end } = boardOf(['slow'])
    const write = vi.fn()
    end()
    await settledWithProgress(board, { isTTY: false, write } as never)
    expect(write).not.toHaveBeenCalled()
  })
})
