import { GatewayError } from '../errors.js'

/** Why a bundle is not taken. Its own words in the reason are quoted, and short. */
export const refused = (en: string, zh: string, cause?: unknown): GatewayError =>
  new GatewayError('SOURCE_INVALID', `The bundle is refused: ${en}.`, {
    cause,
    details: { zh: `拒绝该扩展包：${zh}。` },
  })

/** A stranger's word in a sentence of ours: printable, and no longer than it has to be. */
export const quoted = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be seen.
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, '\u{fffd}')
  return `'${plain.length > 120 ? `${plain.slice(0, 119)}…` : plain}'`
}
