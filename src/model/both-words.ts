/** A sentence in both languages, where it is not known yet who reads it. */
export interface BothWords {
  readonly en: string
  readonly zh: string
}

export const both = (en: string, zh: string): BothWords => ({ en, zh })
