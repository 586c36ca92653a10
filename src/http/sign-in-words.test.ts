import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { signInReason } from './sign-in-words.js'

/** What these files say when a sign-in does not work, with something in the place of what is filled in. */
const said = ['identity-provider-errors.ts', 'identity-provider-client.ts', 'claims.ts', 'console-sign-in.ts'].flatMap(
  (name) => {
    const text = readFileSync(new URL(`../access/${name}`, import.meta.url), 'utf8')
    const calls = text.matchAll(
      /(?:failed\(|'SIGN_IN_FAILED',|'ISSUER_UNAVAILABLE',)\s*(?:`((?:[^`\\]|\\.)+)`|'((?:[^'\\]|\\.)+)')/g,
    )
    return [...calls].map(([, template, plain]) => (template ?? plain!).replace(/\$\{[^}]+\}/g, '7'))
  },
)

describe('why a sign-in did not work', () => {
  it('is said somewhere', () => expect(said.length).toBeGreaterThan(15))

  it.each(said)('is told in Chinese, too: %s', (message) => {
    expect(signInReason('en-US', message)).toBe(message)
    expect(signInReason('zh-Hans', message)).toMatch(/\p{Script=Han}.*。$/su)
  })

  it('names the reason of an outage in the same language', () => {
    const away =
      "The identity provider 'a' cannot be asked: it answers with 503. Try again in a moment; if it stays so, check auth.people.issuer."
    expect(signInReason('zh-Hans', away)).toContain('：它的应答是 503。')
  })
})
