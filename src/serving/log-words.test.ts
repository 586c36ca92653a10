import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { logZh } from './log-words.js'

const src = fileURLToPath(new URL('..', import.meta.url))

/** What the code logs for people, with a name in the place of what it fills in. Messages that are others' are left out. */
const logged = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('compat/agent'))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const calls = text.matchAll(/\.log\(\s*'(?:info|warn|error)',\s*('[^']*'|`(?:[^`$]|\$\{(?:[^{}`]|`[^`]*`)*\})*`)/g)
    return [...calls].map((found) => [file, found[1]!.slice(1, -1).replace(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, '7')] as const)
  })

describe('a line of the log for a Chinese reader (U9)', () => {
  it('is found in the code at all', () => expect(logged.length).toBeGreaterThan(40))

  it.each(logged)('%s: %s', (_, message) => {
    // What another program's users know is said in its words; what is somebody else's message is theirs.
    if (/^[7 ]+$|^Service registered: |^Starting MCP Agent Manager$/.test(message)) return
    expect(logZh(message)).toMatch(/\p{Script=Han}/u)
  })
})
