import { z } from 'zod'
import type { Path } from './problems.js'

/** The keys that a schema knows at a place, for suggestions. Empty where it takes any key. */
export const keysAt = (schema: z.ZodType, path: Path): readonly string[] => {
  let here: z.ZodType | undefined = unwrap(schema)
  for (const segment of path) {
    here = here && step(here, segment)
    if (!here) return []
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : []
}

const step = (schema: z.ZodType, segment: string | number): z.ZodType | undefined => {
  const next =
    schema instanceof z.ZodObject
      ? (schema.shape as Record<string, z.ZodType>)[segment]
      : schema instanceof z.ZodRecord
        ? (schema.valueType as z.ZodType)
        : schema instanceof z.ZodArray
          ? (schema.element as z.ZodType)
          : undefined
  return next && unwrap(next)
}

const unwrap = (schema: z.ZodType): z.ZodType => {
  let inner = schema
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault ||
    inner instanceof z.ZodLazy
  ) {
    inner = inner.unwrap() as z.ZodType
  }
  // Of several forms the one with keys.
  return inner instanceof z.ZodUnion
    ? ((inner.options as z.ZodType[]).map(unwrap).find((each) => each instanceof z.ZodObject) ?? inner)
    : inner
}
