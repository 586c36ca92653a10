export type Locale = 'en' | 'zh'

/** The language of this shell, as POSIX orders its variables: LC_ALL, then LC_MESSAGES, then LANG; empty is unset. */
export const localeOf = (env: Readonly<Record<string, string | undefined>>): Locale => {
  const told = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((word) => word !== undefined && word !== '')
  return /^zh(?:[_.@-]|$)/i.test(told ?? '') ? 'zh' : 'en'
}

/** The language of this command: the shell's, but English where a program reads the answer, whatever shell it runs in. */
export const spoken = (): Locale => (process.argv.includes('--json') ? 'en' : localeOf(process.env))

/** One sentence in both languages, side by side so that neither is forgotten; the shell's own is taken. */
export const say = (en: string, zh: string): string => (spoken() === 'zh' ? zh : en)

/** `3 sources`, for English, which counts by changing its words. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
