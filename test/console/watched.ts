import { expect } from 'vitest'
import { expectClean, type Visit } from './visit.js'

/** What a browser keeps of a visit, and where: whatever a script, a bookmark or somebody at the same machine could find. */
const keptIn = async ({ page, context }: Visit): Promise<string> => {
  const shown = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, name, document.referrer])',
  )
  const session = await context.newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  await session.detach()
  return JSON.stringify([shown, entries.map(({ url, title, userTypedURL }) => [url, title, userTypedURL])])
}

/** Keys, our own tokens and those of others, by how they look. */
const secretShapes = [/rtk_[0-9a-f]{16}/, /\bpg[ar]_[\w-]{8}/, /\beyJ[\w-]{16}/]

export interface Watch {
  /** Nothing that was named, and nothing that looks like one, is kept where it could be found. */
  expectNothingKept(here: Visit, at: string): Promise<void>
  /** The same, and the page is clean to axe and as wide as its window, on a desk and on a phone. */
  step(here: Visit, name: string): Promise<void>
  /** From now on this is a secret. */
  keep(secret: string): void
}

/** Looks over the shoulder of whoever walks through pages. */
export const createWatch = (origin: string): Watch => {
  const secrets = new Set<string>()
  const expectNothingKept: Watch['expectNothingKept'] = async (here, at) => {
    for (const { value } of await here.context.cookies(origin)) secrets.add(value)
    const kept = await keptIn(here)
    for (const shape of secretShapes) expect(kept, at).not.toMatch(shape)
    for (const secret of secrets) expect(kept.replaceAll(secret, '(a secret)'), at).toBe(kept)
  }
  return {
    expectNothingKept,
    keep: (secret) => void secrets.add(secret),
    step: async (here, name) => {
      const { page } = here
      await expectNothingKept(here, name)
      for (const [width, where] of [
        [390, 'phone'],
        [1280, 'desk'],
      ] as const) {
        await page.setViewportSize({ width, height: 860 })
        const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect(wider, `${name} on a ${where}`).toBe(0)
        await expectClean(page, `walk-${name}-${where}`)
      }
    },
  }
}
