import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { logZh } from './log-words.js'

const folder = fileURLToPath(new URL('../search/embedding/onnx', import.meta.url))

/** The sentences of that folder's errors, with a name in the place of what is filled in. */
const said = readdirSync(folder)
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    const plain = text.replace(/\$\{(?:[^{}`]|`(?:[^`$]|\$\{[^}]*\})*`)*\}/g, '7')
    return [...plain.matchAll(/(?:'((?:The|Too|ONNX) [^'\n]+)'|`((?:The|Too|ONNX) [^`]+)`)/g)].map(
      (found) => found[1] ?? found[2]!,
    )
  })
  // Read with what was filled in for the kind of file, or for the vocabulary.
  .map((sentence) =>
    sentence
      .replace('The 7 file', 'The model file')
      .replace('vocabulary file is 7', 'vocabulary file is none')
      .replace('is not installed7', 'is not installed'),
  )

describe('why a model of one’s own cannot be used, in the log of a Chinese reader', () => {
  it('is found in the code at all', () => expect(said.length).toBeGreaterThan(15))

  it.each(said)('%s', (sentence) => {
    const line = logZh(`search: tools could not be embedded: ${sentence}`)
    expect(line).toMatch(/^搜索：工具无法向量化：/)
    expect(line.replace(/'[^']*'|“[^”]*”/g, '')).not.toMatch(/[a-z]{2,} [a-z]{2,} [a-z]{2,}/)
  })
})
