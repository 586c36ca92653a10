import { GatewayError, isGatewayError } from '../../errors.js'
import { isToolResult } from '../../model/answer.js'
import { type Picking, pickFrom } from '../../model/fit/picking.js'
import { isRecord, type JsonValue } from '../../model/json.js'
import { type Answer, type ContentBlock, resultAnswer, type ToolResult, valueAnswer } from '../../model/result.js'
import type { Step } from '../passage.js'

/**
 * What an operator's override hands on of a result: places that are picked, dropped or redacted, in the structure and in text
 * that is JSON. Where something is to be redacted, what cannot be looked into goes as a whole: an answer in plain words may
 * say anything.
 */
export const results = (): Step => ({
  leave: (passage, answer) => {
    const picking = passage.shown?.applied.picking
    return picking && passage.kind === 'tool' ? pickedAnswer(answer, picking) : answer
  },
  fail: (passage, error) => {
    const redacts = (passage.shown?.applied.picking?.redact.length ?? 0) > 0
    if (!redacts || !isGatewayError(error) || error.code !== 'TOOL_FAILED') return
    const { id } = passage.shown!
    throw new GatewayError(
      'TOOL_FAILED',
      `'${id}' failed; its words are not handed on, since they may hold what is redacted.`,
      {
        details: { tool: id },
      },
    )
  },
})

/** What stands where text could not be looked into. */
export const heldText = '[removed: this result is redacted, and this part of it is no JSON]'
const notPicked = '[not picked from: this result is no JSON]'

const pickedAnswer = (answer: Answer, picking: Picking): Answer => {
  if (answer.type === 'result') return resultAnswer(pickedResult(answer.result, picking), answer.failed)
  const { value } = answer
  return valueAnswer(isToolResult(value) ? pickedResult(value, picking) : pickedValue(value, picking))
}

/** Of what a function gave back. */
const pickedValue = (value: unknown, picking: Picking): unknown => {
  if (typeof value === 'string') return pickedText(value, picking).text
  if (typeof value !== 'object' || value === null) return picking.redact.length > 0 && value != null ? heldText : value
  const plain = plainJson(value)
  // A cycle, or something else that no JSON can hold: nobody can look into it.
  if (plain === undefined) return picking.redact.length > 0 ? heldText : value
  return pickFrom(plain, picking) ?? emptyLike(plain)
}

const plainJson = (value: object): unknown => {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

const emptyLike = (value: unknown): unknown => (Array.isArray(value) ? [] : {})

const pickedResult = (result: ToolResult, picking: Picking): ToolResult => {
  const { structuredContent, content, ...rest } = result
  const blocks = (content as readonly ContentBlock[] | undefined)?.flatMap((block) => pickedBlock(block, picking)) ?? []
  const isLeft = blocks.some(({ isUnpicked }) => isUnpicked) && picking.pick.length > 0
  const note = isLeft && structuredContent === undefined ? [{ type: 'text', text: notPicked }] : []
  const picked = { ...rest, content: [...blocks.map(({ block }) => block), ...note] }
  if (structuredContent === undefined) return picked as ToolResult
  const isTree = isRecord(structuredContent) || Array.isArray(structuredContent)
  const structure = isTree ? (pickFrom(structuredContent, picking) ?? emptyLike(structuredContent)) : structuredContent
  return { ...picked, structuredContent: structure as JsonValue } as ToolResult
}

interface PickedBlock {
  readonly block: ContentBlock
  /** It is no JSON, so that nothing could be picked. */
  readonly isUnpicked: boolean
}

const pickedBlock = (block: ContentBlock, picking: Picking): readonly PickedBlock[] => {
  if (block.type === 'text') {
    const { text, isUnpicked } = pickedText(block.text ?? '', picking)
    return [{ block: { ...block, text }, isUnpicked }]
  }
  // Pictures and sounds have no places; whatever else carries words is looked into, or goes.
  if (picking.redact.length === 0 || block.type === 'image' || block.type === 'audio')
    return [{ block, isUnpicked: false }]
  const { resource } = block as { readonly resource?: { readonly text?: unknown } | undefined }
  if (block.type !== 'resource' || typeof resource?.text !== 'string')
    return [{ block: { type: 'text', text: heldText }, isUnpicked: false }]
  return [
    {
      block: { ...block, resource: { ...resource, text: pickedText(resource.text, picking).text } },
      isUnpicked: false,
    },
  ]
}

const pickedText = (text: string, picking: Picking): { readonly text: string; readonly isUnpicked: boolean } => {
  const tree = treeIn(text)
  if (tree !== undefined) return { text: JSON.stringify(pickFrom(tree, picking) ?? emptyLike(tree)), isUnpicked: false }
  return { text: picking.redact.length > 0 && text !== '' ? heldText : text, isUnpicked: true }
}

const treeIn = (text: string): object | undefined => {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
