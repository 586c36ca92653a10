import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAllowList, networkProblem, parsePlace } from './allow-list.js'
import { amountsOf, bytesOf, isGuarded, shownAmount } from './guards.js'
import { planGuards } from './plan.js'
import { type FamilyMember, familyOf, parseMember } from './watch.js'

describe('sizes', () => {
  it('are read as containers read them, and shown as people do', () => {
    expect(['512mb', '512 MiB', '512m', '0.5g', '1048576', '64kb', 'none', 'much'].map(bytesOf)).toEqual([
      ...[512, 512, 512, 512, 1].map((each) => each * 1024 ** 2),
      65_536,
      undefined,
      undefined,
    ])
    expect(shownAmount('memory', 512 * 1024 ** 2)).toBe('512 MB')
    expect(shownAmount('cpuSeconds', 600)).toBe('600 s')
  })

  it('of any number and unit come back as that many bytes', () => {
    fc.assert(
      fc.property(
        fc.nat(4000),
        fc.constantFrom('', 'k', 'm', 'g'),
        fc.constantFrom('', 'b', 'ib'),
        (number, unit, end) => {
          const power = ['', 'k', 'm', 'g'].indexOf(unit)
          expect(bytesOf(`${number}${unit}${unit === '' ? '' : end}`)).toBe(number * 1024 ** power)
        },
      ),
    )
  })
})

describe('guards', () => {
  it('are none where nothing is limited', () => {
    expect(isGuarded({})).toBe(false)
    expect(isGuarded({ limits: {}, sandbox: 'none' })).toBe(false)
    expect(isGuarded({ limits: { memory: 'none', niceness: 0 } })).toBe(false)
    expect(isGuarded({ limits: { memory: '1gb' } })).toBe(true)
    expect(isGuarded({ sandbox: { kind: 'docker', image: 'x' } })).toBe(true)
    expect(amountsOf({ memory: 'none', openFiles: 64 })).toEqual({ openFiles: 64 })
  })

  const all = { memory: '1gb', cpuSeconds: 9, cpus: 0.5, openFiles: 64, processes: 32, fileSize: '1mb', niceness: 5 }
  const by = (platform: NodeJS.Platform, controllers: readonly string[], sandbox?: 'docker') => {
    const { limits, lacking } = planGuards({ limits: all, sandbox }, { platform, controllers: new Set(controllers) })
    return Object.fromEntries([
      ...limits.map((each) => [each.limit, each.by]),
      ...lacking.map(({ limit }) => [limit, '-']),
    ])
  }

  it('are kept by what the machine has, and each that nothing keeps is named', () => {
    const rlimits = { openFiles: 'rlimit', fileSize: 'rlimit', niceness: 'nice' }
    const kernel = { memory: 'cgroup', processes: 'cgroup', cpus: 'cgroup' }
    expect(by('linux', ['memory', 'pids', 'cpu'])).toEqual({ ...rlimits, ...kernel, cpuSeconds: 'watch' })
    const watched = { memory: 'watch', processes: 'watch', cpuSeconds: 'watch' }
    expect(by('linux', [])).toEqual({ ...rlimits, ...watched, cpus: '-' })
    expect(by('darwin', [])).toEqual({ ...rlimits, cpuSeconds: 'rlimit', memory: '-', processes: '-', cpus: '-' })
    expect(new Set(Object.values(by('win32', [])))).toEqual(new Set(['-']))
    expect(new Set(Object.values(by('darwin', [], 'docker')))).toEqual(new Set(['container', '-']))
  })
})

describe('a list of places', () => {
  it('takes hosts with ports, and refuses what could be read in two ways', () => {
    expect(parsePlace('API.Example.com')).toEqual({ host: 'api.example.com', below: false, port: 443 })
    expect(parsePlace('[::1]:8080')).toEqual({ host: '::1', below: false, port: 8080 })
    const wrong = [
      '',
      '*',
      '*:443',
      'http://a.b',
      'a b:1',
      'a:0',
      'a:65536',
      '127.1:80',
      '0x7f.1:80',
      '*.10.0.0.1:80',
      'a:b:c',
      '[x]:1',
      'a/b:1',
    ]
    expect(wrong.filter((entry) => networkProblem(entry) === undefined)).toEqual([])
  })

  it('lets nobody through whom it does not name, in any spelling', () => {
    const list = createAllowList(['api.example.com:443', '*.cdn.example:443', '127.0.0.1:80', 'localhost:81'])
    const judged = (place: string) => {
      const at = place.lastIndexOf(':')
      return list.judge(place.slice(0, at), Number(place.slice(at + 1)))
    }
    expect(
      ['api.example.com:443', 'API.EXAMPLE.COM.:443', 'a.cdn.example:443', 'a.b.cdn.example:443'].map(judged),
    ).toEqual(Array(4).fill('yes'))
    expect(['127.0.0.1:80', 'localhost:81'].map(judged)).toEqual(['named', 'named'])
    const others = [
      ...[
        'api.example.com:80',
        'xapi.example.com:443',
        'api.example.com.evil:443',
        'example.com:443',
        'cdn.example:443',
      ],
      ...[
        'evilcdn.example:443',
        '127.0.0.2:80',
        '127.1:80',
        '2130706433:80',
        'localhost:80',
        '::1:80',
        '[::ffff:127.0.0.1]:80',
      ],
    ]
    expect(others.filter((place) => judged(place) !== 'no')).toEqual([])
  })

  it('never names a place that ends in an address as one below a name', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(createAllowList([`*.${address.split('.').slice(1).join('.')}:443`]).judge(address, 443)).toBe('no')
      }),
    )
  })
})

describe('a family of processes', () => {
  const one = (pid: number, parent: number, group: number, start = String(pid)): FamilyMember => ({
    ...{ pid, parent, group, start },
    ticks: 0,
    threads: 1,
  })

  it('are the group, its descendants, and who was seen to be one of them', () => {
    const known = new Map<number, string>()
    const pids = (everybody: FamilyMember[]) =>
      familyOf(10, everybody, known)
        .map(({ pid }) => pid)
        .sort((a, b) => a - b)
    expect(pids([one(1, 0, 1), one(12, 11, 12), one(11, 10, 11), one(10, 5, 10), one(13, 1, 10)])).toEqual([
      10, 11, 12, 13,
    ])
    // 11 is gone and 12 is the init's child now; 14 is a child of it. Another process has 13's number.
    expect(pids([one(12, 1, 12), one(14, 12, 14), one(13, 1, 1, 'later')])).toEqual([12, 14])
  })

  it('is read from what /proc says, whatever a program calls itself', () => {
    const stat = (name: string) => `77 (${name}) S 5 6 7 0 -1 0 0 0 0 0 11 12 13 14 20 0 3 0 999 0 0`
    expect(parseMember(77, stat('a) R 1 1'))).toEqual({
      pid: 77,
      parent: 5,
      group: 6,
      start: '999',
      ticks: 50,
      threads: 3,
    })
    expect(parseMember(77, stat('x').replace(' S ', ' Z '))).toBeUndefined()
  })
})
