import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hastyClock, never } from '../../test/helpers/config-files.js'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { isGatewayError } from '../errors.js'
import { contentHash } from './read.js'
import { type WatchOptions, watchConfig } from './watch.js'

let folder: string
let file: string
let stop: AbortController
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'))
  file = join(folder, 'pegboard.json')
  stop = new AbortController()
  await writeFile(file, 'one')
})
afterEach(async () => {
  stop.abort()
  await rm(folder, { recursive: true, force: true })
})

interface Watched {
  readonly contents: string[]
  readonly problems: unknown[]
}

interface Steps {
  /** Runs when a change begins, before anything else. */
  readonly enter?: (() => void) | undefined
  readonly apply?: ((content: string) => void) | undefined
}

const start = async (options: Partial<WatchOptions> = {}, { enter, apply }: Steps = {}): Promise<Watched> => {
  const contents: string[] = []
  const problems: unknown[] = []
  const onChange = async (): Promise<void> => {
    enter?.()
    const content = await readFile(file, 'utf8')
    apply?.(content)
    contents.push(content)
  }
  const onProblem = (error: unknown): void => {
    problems.push(error)
  }
  await watchConfig(file, onChange, {
    clock: hastyClock,
    signal: stop.signal,
    pollMs: never,
    debounceMs: 0,
    onProblem,
    ...options,
  })
  return { contents, problems }
}

const soon = { interval: 5 }
const expectLast = ({ contents }: Watched, content: string) => expect.poll(() => contents.at(-1), soon).toBe(content)

describe('watchConfig', () => {
  it('sees a save in place (F27)', async () => {
    const watched = await start()
    await writeFile(file, 'two')
    await expectLast(watched, 'two')
  })

  it('sees a rename over the file, again and again (F27)', async () => {
    const watched = await start()
    for (const content of ['two', 'three', 'four']) {
      await writeFile(`${file}.tmp`, content)
      await rename(`${file}.tmp`, file)
      await expectLast(watched, content)
    }
  })

  it('reports a deleted file, then sees the new one (F27)', async () => {
    const watched = await start()
    await unlink(file)
    await expect.poll(() => watched.problems, soon).toHaveLength(1)
    expect(isGatewayError(watched.problems[0]) && watched.problems[0].code).toBe('CONFIG_UNREADABLE')
    await writeFile(file, 'two')
    await expectLast(watched, 'two')
  })

  it('sees Kubernetes swap the link behind a ConfigMap (F27)', async () => {
    await unlink(file)
    for (const [name, content] of [
      ['..2026_a', 'one'],
      ['..2026_b', 'two'],
    ] as const) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'pegboard.json'), content)
    }
    await symlink('..2026_a', join(folder, '..data'))
    await symlink(join('..data', 'pegboard.json'), file)
    const watched = await start()
    await symlink('..2026_b', join(folder, '..data_tmp'))
    await rename(join(folder, '..data_tmp'), join(folder, '..data'))
    await rm(join(folder, '..2026_a'), { recursive: true })
    await expectLast(watched, 'two')
    expect(watched.problems).toEqual([])
  })

  it('sees an edit that was made between loading and watching', async () => {
    const knownHash = contentHash(Buffer.from('zero'))
    const clock = new VirtualClock()
    const watched = await start({ knownHash, clock, pollMs: 2000 })
    await clock.advance(2000)
    await expectLast(watched, 'one')
  })

  it('finds by polling what no event tells: an edit behind a link to another folder', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'watch-'))
    try {
      await writeFile(join(elsewhere, 'real.json'), 'one')
      await unlink(file)
      await symlink(join(elsewhere, 'real.json'), file)
      const clock = new VirtualClock()
      const watched = await start({ clock, pollMs: 2000 })
      await writeFile(join(elsewhere, 'real.json'), 'two')
      await clock.advance(2000)
      await expectLast(watched, 'two')
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })

  it('finds its folder again after that was replaced', async () => {
    const clock = new VirtualClock()
    const watched = await start({ clock, debounceMs: 250, pollMs: 2000 })
    await rm(folder, { recursive: true })
    while (watched.problems.length === 0) await clock.advance(2000)
    await mkdir(folder)
    await writeFile(file, 'two')
    const lastAfterAPoll = async () => {
      await clock.advance(2000)
      return watched.contents.at(-1)
    }
    await expect.poll(lastAfterAPoll, soon).toBe('two')
  })

  it('does not take a save without a change for one', async () => {
    const watched = await start()
    // Renamed over: a save in place empties the file first, and that may be seen as a change of its own.
    const save = async (content: string): Promise<void> => {
      await writeFile(`${file}.tmp`, content)
      await rename(`${file}.tmp`, file)
    }
    await save('one')
    await writeFile(join(folder, 'other.json'), 'x')
    await save('two')
    await expectLast(watched, 'two')
    expect(watched.contents).toEqual(['two'])
  })

  it('reports an edit that cannot be applied and goes on (F27)', async () => {
    const apply = (content: string): void => {
      if (content === 'bad') throw new Error('no')
    }
    const watched = await start({}, { apply })
    await writeFile(file, 'bad')
    await expect.poll(() => watched.problems, soon).toContainEqual(new Error('no'))
    await writeFile(file, 'one')
    await expectLast(watched, 'one')
  })

  it('applies at most once in 250 ms, however often the file is saved, and ends with the last (F27)', async () => {
    const clock = new VirtualClock()
    const times: number[] = []
    const enter = () => void times.push(clock.now())
    const watched = await start({ clock, debounceMs: 250, pollMs: 2000 }, { enter })
    for (let save = 0; save < 100; save++) {
      await writeFile(file, `save ${save}`)
      await clock.advance(20)
    }
    while (watched.contents.at(-1) !== 'save 99') await clock.advance(10)
    expect(times.every((time, index) => index === 0 || time - times[index - 1]! >= 250)).toBe(true)
    expect(times.length).toBeGreaterThan(0)
  })

  it('never runs two changes at once', async () => {
    let inside = 0
    let most = 0
    let release: () => void = () => {}
    let entered: () => void = () => {}
    const hasEntered = new Promise<void>((resolve) => {
      entered = resolve
    })
    const seen: string[] = []
    const done = new Promise<void>((resolve) => {
      const onChange = async (): Promise<void> => {
        most = Math.max(most, ++inside)
        entered()
        if (seen.length === 0) await new Promise<void>((go) => (release = go))
        seen.push(await readFile(file, 'utf8'))
        inside--
        if (seen.at(-1) === 'three') resolve()
      }
      const options = { clock: hastyClock, signal: stop.signal, pollMs: never, debounceMs: 0, onProblem: () => {} }
      void watchConfig(file, onChange, options).then(() => writeFile(file, 'two'))
    })
    await hasEntered
    await writeFile(file, 'x')
    await writeFile(`${file}.tmp`, 'three')
    await rename(`${file}.tmp`, file)
    release()
    await done
    expect(most).toBe(1)
  })

  it('leaves no watcher and no timer behind after 100 starts and ends', async () => {
    const clock = new VirtualClock()
    const open = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
    const before = open()
    for (let round = 0; round < 100; round++) {
      const own = new AbortController()
      await start({ clock, signal: own.signal, pollMs: 2000 })
      own.abort()
    }
    // A folder that is being looked at when the end comes must not be watched afterwards.
    for (let turn = 0; turn < 20; turn++) await settle()
    expect(clock.pendingTimers).toBe(0)
    expect(open()).toBe(before)
  })

  it('starts nothing when it was ended before', async () => {
    stop.abort()
    const clock = new VirtualClock()
    await start({ clock, pollMs: 2000 })
    expect(clock.pendingTimers).toBe(0)
  })
})
