import { renderCommands, renderExitCodes } from './commands.mjs'
import { renderKeys, renderOutside } from './keys.mjs'

/** Each page with the parts of it that are written from the code; what stands around them is written by hand. */
export const referencePages = (code) => ({
  'cli.md': (text) =>
    [
      ['commands', renderCommands(code)],
      ['flags', renderOutside(code)],
      ['exit codes', renderExitCodes(code.exitMeanings)],
    ].reduce(withPart, text),
  'config.md': (text) => withPart(text, ['keys', renderKeys(code)]),
})

const withPart = (text, [name, part]) => {
  const start = `<!-- ${name}: written by npm run docs -->`
  const end = `<!-- end of ${name} -->`
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page needs the lines ${start} and ${end}.`)
  return `${text.slice(0, from + start.length)}\n\n${part.trim()}\n\n${text.slice(to)}`
}
