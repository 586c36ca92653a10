import { describe, expect, it } from 'vitest'
import { folded } from './folded.js'

describe('a reason on one line of the log (U8)', () => {
  it.each([
    ['It is gone.', 'It is gone.'],
    ['uvx ended. Its last words:\nAttributeError: no\n', 'uvx ended. Its last words: AttributeError: no'],
    ['uvx ended.\nTraceback\n  in main\n\nAttributeError: no', 'uvx ended. … AttributeError: no'],
    ['', ''],
  ])('%j', (reason, line) => expect(folded(reason)).toBe(line))
})
