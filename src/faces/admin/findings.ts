import type { Tool } from '../../model/tool.js'
import { choice, list, shape, text, type ValueOf } from '../../operations/shape.js'

/** What the scanner saw in words, why, and where. */
export const scannedFinding = shape({
  rule: text(),
  severity: choice(['low', 'medium', 'high']),
  place: text(),
  reason: shape({ en: text(), zh: text() }),
  excerpt: text(),
})

/** A tool, a prompt or the instructions of a source, with what was found in it. */
export const scannedItem = shape({ id: text(), kind: text(), findings: list(scannedFinding) })

export type ScannedFinding = ValueOf<typeof scannedFinding>
export type ScannedItem = ValueOf<typeof scannedItem>

/** What the scanner finds in the words on the board. */
export interface FindingDesk {
  ofTool(tool: Tool): readonly ScannedFinding[]
  /** Read once for each state of the board, in slices. */
  ofSource(name: string): Promise<readonly ScannedItem[]>
}
