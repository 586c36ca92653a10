/** Letters of other scripts that look like Latin ones, beside what they look like. */
const lookAlikes =
  'аa еe оo рp сc хx уy іi ѕs јj һh ԁd ԛq ԝw ɡg ɑa ɩi ӏl ґr вb кk мm нh тt гr пn ' +
  'АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЅS ЈJ ԌG ' +
  'οo νv ρp υu ιi κk αa τt χx ηn ωw εe ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ' +
  'օo սu ոn ցg հh ⅼl ℓl ⲟo ꓲl ꓳo ꮯc ꭰd ᴀa ᴄc ᴇe ᴏo ᴛt ᴜu ᴠv ᴡw ᴢz ɴn ʀr ɪi ʟl'

const latinOf: ReadonlyMap<string, string> = new Map(
  lookAlikes.split(' ').map((pair) => {
    const [other, latin] = [...pair]
    return [other!, latin!]
  }),
)

const foreign =
  /[\u0250-\u02af\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u1d00-\u1d7f\u2100-\u214f\u2170-\u217f\u2c80-\u2cff\ua4d0-\ua4ff\uab70-\uabbf]/
/** A word in which Latin letters stand beside those of a script that looks like it. */
const mixed =
  /[\w\u0250-\u02af\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u1d00-\u1d7f\u2100-\u214f\u2170-\u217f\u2c80-\u2cff\ua4d0-\ua4ff\uab70-\uabbf]+/g

/** Every letter that looks Latin as the Latin one. */
export const latinForm = (text: string): string =>
  foreign.test(text) ? Array.from(text, (each) => latinOf.get(each) ?? each).join('') : text

/** Words that mix Latin letters with others that merely look so, and the text with those folded. */
export const foldMixed = (text: string): { readonly text: string; readonly words: readonly string[] } => {
  if (!foreign.test(text)) return { text, words: [] }
  const words: string[] = []
  const folded = text.replace(mixed, (word) => {
    if (!foreign.test(word) || !/[a-z]{2}/i.test(word)) return word
    const latin = latinForm(word)
    if (latin === word || /[^\w]/.test(latin)) return word
    words.push(word)
    return latin
  })
  return { text: folded, words }
}
