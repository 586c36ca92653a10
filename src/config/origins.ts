import { type Path, pathKey } from './problems.js'

/** Which place in the operator's file a place in our one shape came from, so that messages speak of the file. */
export interface Origins {
  /** Says that what we keep at `ours` was written at `theirs`. */
  set(ours: Path, theirs: Path): void
  of(ours: Path): Path
}

export const createOrigins = (): Origins => {
  const known = new Map<string, Path>()
  return {
    set: (ours, theirs) => void known.set(pathKey(ours), theirs),
    of: (ours) => {
      for (let length = ours.length; length > 0; length--) {
        const start = known.get(pathKey(ours.slice(0, length)))
        if (start) return [...start, ...ours.slice(length)]
      }
      return ours
    },
  }
}
