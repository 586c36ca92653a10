import { applicators, type Shape } from './validate/dialects.js'

// Conversions read schemas of unknown dialect, so they know the keywords of all of them.
const shapes: ReadonlyMap<string, Shape> = new Map([
  ...applicators['draft-07'],
  ...applicators['2019-09'],
  ...applicators['2020-12'],
])

/** How a keyword of any dialect holds subschemas; undefined when it holds none. */
export const shapeOf = (keyword: string): Shape | undefined => shapes.get(keyword)
