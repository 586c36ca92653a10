import type { Others } from '../../fleet/others.js'
import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import { errorTexts } from '../../operations/error-texts.js'
import type { Operation } from '../../operations/operation.js'
import { byName, integer, list, number, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { type ApprovalDesk, waitingOf } from './approvals.js'
import type { CallLog } from './call-log.js'
import { loggedCall, minute } from './calls.js'
import { type ParkedDesk, parkedRow } from './parked.js'
import { costOf, type ProfileBoard, profileCost } from './profiles.js'
import { listSources, type SourceBoard, sourceRow } from './sources.js'
import { covered, type Gathered, gather, inOrder, joinedSources, labelled, summed, together } from './whole-fleet.js'

const overview = shape(
  {
    version: text(),
    startedAt: integer(),
    now: integer(),
    sources: list(sourceRow),
    tools: integer(),
    held: integer(),
    parked: list(parkedRow),
    stats: shape({
      calls: integer(),
      errors: integer(),
      errorsByCode: byName(integer()),
      totalLatencyMs: number(),
      totalCost: number(),
    }),
    minutes: list(minute),
    failures: list(loggedCall),
    /** How many links to voice devices are configured. */
    xiaozhi: integer(),
    /** Of what somebody would have had too much, how often: a caller its own bound, or all together theirs. */
    refusals: list(shape({ bound: text(), whose: text(), count: integer() })),
  },
  { profile: profileCost, covers: covered },
)

const errorTextsAnswer = shape({ 'zh-Hans': byName(text()) })

export type ErrorTextsAnswer = ValueOf<typeof errorTextsAnswer>
export type Overview = ValueOf<typeof overview>

interface OverviewBoard extends SourceBoard, ProfileBoard {
  readonly gateway: Gateway
  readonly version: string
  readonly parked: ParkedDesk
  readonly approvals: ApprovalDesk
  xiaozhi(): readonly unknown[]
}

const mostFailures = 8

/** What is counted is added up; what all have in common is ours. */
const wholeOverview = ({ said, covers }: Gathered<Overview>, others: Others | undefined): Overview => {
  const own = said[0]!.answer
  if (!others || !covers) return own
  const answers = said.map(({ answer }) => answer)
  const theirs = new Map(said.slice(1).map(({ replica = '', answer }) => [replica, answer.sources]))
  return {
    ...own,
    covers,
    sources: joinedSources(own.sources, theirs, others),
    parked: labelled(said, ({ parked }) => parked),
    stats: {
      ...summed(answers.map(({ stats: { errorsByCode: _, ...counts } }) => counts)),
      errorsByCode: summed(answers.map(({ stats }) => stats.errorsByCode)),
    } as Overview['stats'],
    minutes: together(answers.map(({ minutes }) => minutes)).slice(-60),
    refusals: allRefusals(answers),
    failures: inOrder(labelled(said, ({ failures }) => failures))
      .slice(-mostFailures)
      .reverse(),
  }
}

const allRefusals = (answers: readonly Overview[]): Overview['refusals'] => {
  const keyed = answers.map(({ refusals }) =>
    Object.fromEntries(refusals.map(({ bound, whose, count }) => [JSON.stringify([bound, whose]), count])),
  )
  return Object.entries(summed(keyed)).map(([key, count]) => {
    const [bound, whose] = JSON.parse(key) as [string, string]
    return { bound, whose, count }
  })
}

/** The figures of the console's first page. */
export const overviewOperations = (
  board: OverviewBoard,
  { log, clock, others }: { readonly log: CallLog; readonly clock: Clock; readonly others?: Others | undefined },
): readonly Operation[] => {
  const startedAt = clock.wall()
  const chinese = Object.fromEntries(Object.entries(errorTexts).map(([code, { zh }]) => [code, zh]))
  return [
    adminOperation({
      id: 'overview',
      method: 'GET',
      path: '/overview',
      right: 'look',
      summary: words('Sources, figures and failures at a glance', '来源、数据与失败一览'),
      answer: overview,
      run: async (request) => {
        const report = board.profile('default')
        const own: Overview = {
          version: board.version,
          startedAt,
          now: clock.wall(),
          sources: listSources(board),
          tools: board.gateway.list().length,
          held: waitingOf(board),
          parked: board.parked.list(),
          stats: board.gateway.stats() as Overview['stats'],
          minutes: log.minutes(),
          profile: report && costOf(report),
          xiaozhi: board.xiaozhi().length,
          refusals: board.gateway.shares.refusals().filter(({ count }) => count > 0),
          failures: log
            .recent()
            .filter(({ ok }) => !ok)
            .slice(-mostFailures)
            .reverse(),
        }
        return wholeOverview(await gather(others, request, own), others)
      },
    }),
    adminOperation({
      id: 'errorTexts',
      method: 'GET',
      path: '/error-texts',
      right: 'known',
      // Calls and errors travel with their codes, and the console has no table of its own.
      summary: words('What each error code says in Chinese', '各错误码的中文说明'),
      answer: errorTextsAnswer,
      run: () => ({ 'zh-Hans': chinese }),
    }),
  ]
}
