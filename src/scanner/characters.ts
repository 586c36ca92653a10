/** Ranges of code points by what they do. Written as numbers: the characters themselves cannot be seen in an editor. */
type Ranges = readonly (number | readonly [number, number])[]

const escaped = (code: number): string => `\\u{${code.toString(16)}}`
const members = (ranges: Ranges): string =>
  ranges.map((each) => (typeof each === 'number' ? escaped(each) : `${escaped(each[0])}-${escaped(each[1])}`)).join('')

/** A pattern for one character of these ranges. */
export const oneOf = (ranges: Ranges, flags = ''): RegExp => new RegExp(`[${members(ranges)}]`, `${flags}u`)

/** What is drawn with no width, or as nothing. */
const blank: Ranges = [
  0xad,
  0x34f,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2060, 0x2065],
  0x2800,
  0x3164,
  0xfeff,
  0xffa0,
  [0xfff0, 0xfffb],
]
const direction: Ranges = [0x61c, 0x200e, 0x200f, [0x202a, 0x202e], [0x2066, 0x206f]]
const selectors: Ranges = [
  [0xfe00, 0xfe0f],
  [0xe0100, 0xe01ef],
]
const tags: Ranges = [[0xe0000, 0xe007f]]
/** Without tab, the line ends and the form feed. */
const controls: Ranges = [[0, 8], 0xb, [0xe, 0x1f], [0x7f, 0x84], [0x86, 0x9f]]
const privateUse: Ranges = [
  [0xe000, 0xf8ff],
  [0xf0000, 0x10ffff],
]
const halves: Ranges = [[0xd800, 0xdfff]]

export const isBlank = oneOf(blank)
/** Whatever deserves a closer look. */
export const isSuspect = oneOf([...blank, ...direction, ...selectors, ...tags, ...controls, ...privateUse, ...halves])
/** Characters that nobody sees, to be taken out before words are read. */
export const invisible = oneOf(
  [...blank, ...direction, ...selectors, ...tags, ...controls].filter((each) => each !== 0x2800),
  'g',
)
export const isRightToLeft = oneOf([
  [0x590, 0x8ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefc],
])
/** Scripts in which joiners are letters' business. */
export const isJoining = oneOf([
  [0x600, 0x8ff],
  [0x900, 0xdff],
  [0xe00, 0x109f],
  [0x1780, 0x18af],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
])
/** Printable ASCII, line ends and tabs, nothing else. */
export const isPlainText = /^[ -~\t\n\r]*$/
