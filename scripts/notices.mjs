// Whose code is inside what we ship, and under which terms: licences ask that their text travels along.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of the notices for these modules, by their paths. Throws where a package does not say its terms. */
export const noticesOf = (modules) => {
  const folders = [...new Set(modules.map(packageOf).filter((folder) => folder !== undefined))]
  const parts = folders.map(noticeOf).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return `The files of this package contain code of the following packages.\n\n${parts.map(({ text }) => text).join('\n')}`
}

/** The folder of the package that a module belongs to; undefined for our own. */
const packageOf = (path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]

const noticeOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const terms = termsIn(folder)
  if (terms === undefined || license === undefined) throw new Error(`${name} ships no licence; it cannot be bundled.`)
  return { name, text: `${'-'.repeat(72)}\n${name} ${version} (${license})\n\n${terms}\n` }
}

/** In a file of their own, or at the end of the page that everybody reads. */
const termsIn = (folder) => {
  const entries = readdirSync(folder)
  const read = (entry) => readFileSync(join(folder, entry), 'utf8')
  const file = entries.find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry))
  if (file !== undefined) return read(file).trim()
  const page = entries.find((entry) => /^readme(?:\.|$)/i.test(entry))
  return page && /^#+ *licen[cs]e\n+([\s\S]*permission[\s\S]*)$/im.exec(read(page))?.[1].trim()
}
