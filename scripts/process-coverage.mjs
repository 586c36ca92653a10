// What processes of the built program ran, as Node writes it with NODE_V8_COVERAGE, led back to src/ by the maps beside their scripts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GREATEST_LOWER_BOUND, generatedPositionFor, TraceMap } from '@jridgewell/trace-mapping'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Marks what the processes that left their files in `folder` ran. Each writes which stretches of each script ran, nested, by their
 * offsets: the innermost around a place says.
 */
export const addProcesses = (files, folder) => {
  const placesOf = new Map()
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json')))
    for (const { url, functions } of written(join(folder, name))) {
      if (!placesOf.has(url)) placesOf.set(url, placesIn(url, files))
      const places = placesOf.get(url).filter(({ statement }) => !statement.ran)
      if (places.length > 0) mark(places, functions)
    }
}

// A process that was killed while writing leaves half a file.
const written = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).result
  } catch {
    return []
  }
}

/** Where the statements of our sources stand in a script, by offset; none in a script without a map of ours. */
const placesIn = (url, files) => {
  const script = url.startsWith('file://') ? fileURLToPath(url) : ''
  if (!existsSync(`${script}.map`)) return []
  const lineStarts = [0]
  const text = readFileSync(script, 'utf8')
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1)
  const map = new TraceMap(readFileSync(`${script}.map`, 'utf8'))
  const places = map.sources.flatMap((source) =>
    (
      files.get(
        relative(root, resolve(script, '..', source))
          .split(sep)
          .join('/'),
      ) ?? []
    ).flatMap((statement) => {
      const { line, column } = statement
      const found = generatedPositionFor(map, { source, line, column, bias: GREATEST_LOWER_BOUND })
      return found.line === null ? [] : [{ at: lineStarts[found.line - 1] + found.column, statement }]
    }),
  )
  return places.sort((a, b) => a.at - b.at)
}

const mark = (places, functions) => {
  const ranges = functions.flatMap((each) => each.ranges)
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const around = []
  let next = 0
  for (const { at, statement } of places) {
    for (; next < ranges.length && ranges[next].startOffset <= at; next++) around.push(ranges[next])
    while (around.length > 0 && around.at(-1).endOffset <= at) around.pop()
    statement.ran ||= (around.at(-1)?.count ?? 0) > 0
  }
}
