/**
 * What a child wrote, made safe for logs, errors and terminals (T21): escape sequences, control characters and the
 * characters that reorder text are removed. Tabs stay.
 */
export const plainText = (text: string): string => text.replace(escapeSequences, '').replace(controls, '')

// Operating system commands (hyperlinks, clipboard), device strings, control sequences, then two-byte escapes. Every
// alternative stops at the next escape, which keeps the search linear on hostile input.
const escapeSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
