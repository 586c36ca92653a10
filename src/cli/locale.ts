export type Locale = 'en' | 'zh'

/** The language of this shell, as POSIX orders its variables: LC_ALL, then LC_MESSAGES, then LANG; empty is unset. */
export const localeOf = (env: Readonly<Record<string, string | undefined>>): Locale => {
  const told = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((word) => word !== undefined && word !== '')
  return /^zh(?:[_.@-]|$)/i.test(told ?? '') ? 'zh' : 'en'
}

/** One sentence in both languages, side by side so that neither is forgotten; the shell's own is taken. */
export const say = (en: string, zh: string): string => (localeOf(process.env) === 'zh' ? zh : en)
