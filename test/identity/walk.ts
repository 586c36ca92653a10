import { createBrowser, type HeadlessBrowser, type ShownPage } from '../helpers/headless-browser.js'

/** Somebody in front of a browser: gives consent, signs in at the provider as `login`, and comes back to the client. */
export const walkAs =
  (login: string, browser: HeadlessBrowser = createBrowser()) =>
  async (link: URL, redirectUrl: string): Promise<string> => {
    const stopAt = (url: string): boolean => url.startsWith(redirectUrl)
    const consent = await browser.open(link.href, stopAt)
    // Asked of the provider directly there is no consent of ours.
    if (isLogin(consent)) return (await browser.submit(consent, { login }, { stopAt })).url
    const next = await browser.submit(consent, {}, { button: 'allow', stopAt })
    const back = isLogin(next) ? await browser.submit(next, { login }, { stopAt }) : next
    if (!stopAt(back.url)) throw new Error(`The browser ended at ${back.url.split('?', 1)[0]}: ${plain(back)}`)
    return back.url
  }

/** The same without a provider: a key is pasted where consent is given. */
export const walkWithKey =
  (key: string, browser: HeadlessBrowser = createBrowser()) =>
  async (link: URL, redirectUrl: string): Promise<string> => {
    const stopAt = (url: string): boolean => url.startsWith(redirectUrl)
    const consent = await browser.open(link.href, stopAt)
    const back = await browser.submit(consent, { key }, { button: 'allow', stopAt })
    if (!stopAt(back.url)) throw new Error(`The browser ended at ${back.url.split('?', 1)[0]}: ${plain(back)}`)
    return back.url
  }

const isLogin = ({ text }: ShownPage): boolean => /name="login"/.test(text)

const plain = ({ text }: ShownPage): string => text.replaceAll(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ').slice(0, 600)
