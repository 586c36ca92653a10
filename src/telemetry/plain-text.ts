/** Text that a terminal only prints: escape sequences, control characters and what reorders or hides text are gone. */
export const plainText = (text: string): string =>
  suspicious.test(text) ? text.replace(sequences, '').replace(controls, '') : text

/** The same on one line: a record must not be able to look like two. */
export const oneLine = (text: string): string => plainText(text.replace(breaks, ' '))

// Nearly all text has none of them, and one look is cheaper than two replacements.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const suspicious = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

// Strings for the terminal itself (titles, links, clipboard) with what ends them, control sequences, short escapes. No
// alternative runs past the next escape, so hostile text costs no more than its length.
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\r\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
