/** A regular expression as a tree: as much of it as judging its cost and rewriting it for RE2 needs. */
export type PatternNode =
  | { readonly type: 'character'; readonly set: CharacterSet }
  | { readonly type: 'assertion'; readonly kind: '^' | '$' | 'b' | 'B' }
  | { readonly type: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: 'look'; readonly body: PatternNode }
  | { readonly type: 'backreference' }

/** The characters one position takes. */
export interface CharacterSet {
  readonly negated: boolean
  readonly ranges: readonly CharacterRange[]
  /** Unicode properties by name, such as `L` or `Script=Han`, with their sign. */
  readonly properties: readonly { readonly name: string; readonly negated: boolean }[]
}

/** Code points, both ends included. */
export type CharacterRange = readonly [from: number, to: number]

/** The end of Unicode. */
export const lastCodePoint = 0x10ffff

/** What `\d` means. */
export const digits: readonly CharacterRange[] = [[0x30, 0x39]]
/** What `\w` means. */
export const wordCharacters: readonly CharacterRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]
/** What `\s` means: ECMA-262's WhiteSpace and LineTerminator; RE2's own is ASCII only. */
export const spaces: readonly CharacterRange[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]
/** What `.` leaves out. */
export const lineEnds: readonly CharacterRange[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]

/** Everything outside the given ranges, which are sorted and apart. */
export const complement = (ranges: readonly CharacterRange[]): readonly CharacterRange[] => {
  const gaps: CharacterRange[] = []
  let next = 0
  for (const [from, to] of ranges) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint])
  return gaps
}
