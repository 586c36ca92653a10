// One way through one program: which bytes go in, and what must come out. Nothing is timed that was not right once.
import { answerTo, toBytes, toSessionBytes } from '../gateway/load.mjs'

/**
 * `era` is `modern` (2026-07-28) or `session` (2025-11-25); the session is begun here. `isRight` judges the first result
 * whole, `expected` is looked for in the end of each.
 */
export const openWay = async (target, { what, era, method = 'tools/call', params, isRight, expected, rounds }) => {
  const toAsked = target.toAsked ?? (era === 'modern' ? toBytes : toSessionBytes)
  const bytes = await toAsked(target, method, params)
  const { result, error } = messageIn(await answerTo(target, bytes))
  if (result === undefined || !isRight(result))
    throw new Error(`${what} answers wrongly: ${JSON.stringify(error ?? result)?.slice(0, 500)}`)
  return { ...target, what, era, bytes, expected, rounds }
}

/** Whether a result is this text and nothing else. */
export const isText =
  (text) =>
  ({ content }) =>
    content?.length === 1 && content[0].text === text

/** The message of a plain answer, or the last one of a stream of events. */
export const messageIn = (body) => {
  if (body.startsWith('{')) return JSON.parse(body)
  const events = body.split(/\r?\n\r?\n/).map((event) => event.match(/^data: ?(.*)$/gm) ?? [])
  const texts = events.map((lines) => lines.map((line) => line.replace(/^data: ?/, '')).join('\n'))
  return JSON.parse(texts.findLast((text) => text.includes('"id"')) ?? '{}')
}
