import { GatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import { isErrorAnswer, toText, toToolResult } from '../../../model/answer.js'
import { defined, isRecord, type JsonObject } from '../../../model/json.js'
import { readResultName, resultKey } from '../../../model/kept-result.js'
import { type Operation, operation } from '../../../operations/operation.js'
import { closed, described, integer, shape, text, words } from '../../../operations/shape.js'
import type { FindRestProfile } from '../profile.js'
import { profileField } from '../schemas.js'
import { toCall } from '../to-call.js'

const query = closed({
  profile: profileField,
  offset: described(integer({ minimum: 0 }), 'Bytes to skip', '跳过的字节数'),
  bytes: described(integer({ minimum: 1, maximum: 1_048_576 }), 'At most so many bytes', '最多返回的字节数'),
  lines: described(integer({ minimum: 1 }), 'At most so many lines', '最多返回的行数'),
  path: described(text({ maxLength: 1024 }), 'A JSON Pointer: that part alone', 'JSON Pointer：只读取该部分'),
})

/** `GET /api/v1/results/{id}`: `read_result` for programs, on the path of every call. */
export const readResult = (gateway: Gateway, findProfile: FindRestProfile): Operation =>
  operation({
    id: 'readResult',
    method: 'GET',
    path: '/api/v1/results/:id',
    right: 'call',
    tag: 'calls',
    summary: words('Read on a result that was cut', '继续读取被截断的结果'),
    params: {
      id: words(
        'The id in `_meta["pegboard/result"]` of the cut result',
        '被截断结果的 `_meta["pegboard/result"]` 中的 id',
      ),
    },
    query,
    answers: {
      200: {
        description: words(
          'A piece; `next` is the offset of the one after it, and absent at the end',
          '一段内容；`next` 为下一段的偏移量，末尾时没有',
        ),
        schema: shape({ id: text(), offset: integer(), total: integer(), text: text() }, { next: integer() }),
      },
    },
    run: async (request) => {
      const { offset, bytes, lines, path } = request.query
      const args = defined({ id: request.params.id!, offset, bytes, lines, path }) as JsonObject
      const outcome = await gateway.call(
        toCall(request, findProfile, { tool: readResultName, args, timeoutMs: undefined }),
      )
      if (!outcome.ok) throw outcome.error.code === 'TOOL_NOT_FOUND' ? notKept() : outcome.error
      const { answer } = outcome
      if (isErrorAnswer(answer)) throw new GatewayError('NOT_OFFERED', toText(answer), { notSent: true })
      const { content, _meta } = toToolResult(answer)
      const place = _meta?.[resultKey]
      return { json: { ...(isRecord(place) ? place : {}), text: content[0]?.text ?? '' } }
    },
  })

const notKept = (): GatewayError =>
  new GatewayError('NOT_OFFERED', 'Results of this profile are not cut, or not kept: there is nothing to read on.', {
    notSent: true,
  })
