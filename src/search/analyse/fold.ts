// Everything but printable ASCII and white space.
const beyondAscii = /[^\x20-\x7e\s]/
// Marks are dropped where they vary between spellings; kept in scripts where they make another letter (Japanese, Thai).
const looseMarks =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{N}])\p{Mn}+/gu

/** One spelling for widths, ligatures and composed or decomposed letters, case kept: names are split by case later. */
export const unify = (text: string): string => (beyondAscii.test(text) ? text.normalize('NFKC') : text)

/** A word as it is compared: lower case, without accents; `İ`, `ı`, `ß` and `ſ` meet their plain letters. */
export const foldWord = (word: string): string => {
  const lower = word.toLowerCase()
  if (!beyondAscii.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(looseMarks, '$1')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .normalize('NFC')
}
