import type { Others } from '../../fleet/others.js'
import { notFound } from '../../http/http-error.js'
import type { Operation } from '../../operations/operation.js'
import { integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { covered, gather, labelled } from './whole-fleet.js'

/** A call that waits until its caller answers a question of the tool. */
export const parkedRow = shape(
  {
    id: text(),
    caller: text(),
    /** The tool, or whatever else was asked for. */
    name: text(),
    method: text(),
    /** The kinds of questions that are open: `elicitation/create` and the like. */
    asks: list(text()),
    /** When it began, in milliseconds since the epoch. */
    since: integer(),
  },
  {
    /** When it is given up; not there while the caller is here and the source works on the answer. */
    expiresAt: integer(),
    /** Where it waits; only in a fleet. */
    replica: text(),
    /** The questions as they were put, only where argument values are kept (`telemetry.audit` is `values`). */
    questions: list(text()),
  },
)

export type ParkedRow = ValueOf<typeof parkedRow>

export interface ParkedDesk {
  list(): readonly ParkedRow[]
  /** False when it no longer waits. */
  cancel(id: string): boolean
  onChange(listener: () => void): () => void
}

/** Calls that wait for their callers: who, which tool, what kind of question, until when; and the end of one. */
export const parkedOperations = (
  { parked }: { readonly parked: ParkedDesk },
  { others }: { readonly others?: Others | undefined },
): readonly Operation[] => [
  adminOperation({
    id: 'listParked',
    method: 'GET',
    path: '/parked',
    right: 'look',
    summary: words('Calls that wait for an answer of their caller', '等待调用者答复的调用'),
    answer: shape({ calls: list(parkedRow) }, { covers: covered }),
    run: async (request) => {
      const { said, covers } = await gather(others, request, { calls: parked.list() })
      return { calls: labelled(said, ({ calls }) => calls), covers }
    },
  }),
  adminOperation({
    id: 'endParked',
    method: 'DELETE',
    path: '/parked/:id',
    right: 'operate',
    deed: { action: 'cancel' },
    summary: words('End one of them', '结束其中一个'),
    params: { id: words('The id of the call', '调用编号') },
    run: async ({ params, exchange, caller }) => {
      if (parked.cancel(params.id!)) return
      const target = exchange.request.url ?? '/'
      const replicas = exchange.passedBy === undefined ? (others?.names() ?? []) : []
      const asked = replicas.map((name) => others!.askOne(name, { method: 'DELETE', target, caller }))
      if ((await Promise.all(asked)).some((said) => said?.status === 200)) return
      throw notFound('This call no longer waits for an answer; look at the list again.')
    },
  }),
]
