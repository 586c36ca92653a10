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
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry))
  if (file === undefined || license === undefined) throw new Error(`${name} ships no licence; it cannot be bundled.`)
  const terms = readFileSync(join(folder, file), 'utf8').trim()
  return { name, text: `${'-'.repeat(72)}\n${name} ${version} (${license})\n\n${terms}\n` }
}
