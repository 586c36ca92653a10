import { describe, expect, it } from 'vitest'
import { fetcherOf, startTimeoutOf } from './launcher.js'

describe('a command that may download itself first (U10)', () => {
  it.each([
    ['npx', ['-y', 'server'], 'npx'],
    ['/usr/bin/npx', [], 'npx'],
    ['C:\\Program Files\\nodejs\\npx.cmd', ['server'], 'npx'],
    ['cmd', ['/c', 'npx', '-y', 'server'], 'npx'],
    ['uvx', ['server'], 'uvx'],
    ['pipx', ['run', 'server'], 'pipx'],
    ['npm', ['exec', 'server'], 'npm'],
    ['docker', ['run', '-i', 'image'], 'docker'],
  ])('%s %j has two minutes to start', (command, args, name) => {
    expect(fetcherOf({ command, args })).toBe(name)
    expect(startTimeoutOf({ command, args })).toBe(120_000)
  })

  it.each([
    ['node', ['npx.js']],
    ['npm', ['start']],
    ['pipx', ['list']],
    ['uv', ['--version']],
    ['cmd', ['/c', 'node', 'server.js']],
    ['constructor', []],
    ['', []],
  ])('%s %j is no such command', (command, args) => {
    expect(fetcherOf({ command, args })).toBeUndefined()
    expect(startTimeoutOf({ command, args })).toBe(30_000)
  })
})
