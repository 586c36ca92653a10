/**
 * Text in which nothing hides: whatever is drawn as nothing, reorders its neighbours or steers a terminal stands as `\uXXXX`,
 * which in JSON means the same. For people who decide by what they read.
 */
export const visibleText = (text: string): string =>
  text.replace(unseen, (found) => {
    const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })

// Everything that Unicode calls other or separator but the plain space; fillers, joiners and selectors that it calls letters or marks.
const unseen =
  /(?! )(?:[\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/gu
