import { realpath } from 'node:fs/promises'
import { type Approvals, createApprovals, type Reviewed } from '../../catalog/approvals.js'
import type { LoadedConfig } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import type { Gateway } from '../../gateway.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import type { Lock } from '../lock-file.js'
import { ownSources } from '../sources/own-sources.js'
import type { Stored } from '../stored.js'

/** What was approved for this configuration: two projects with a source of one name do not judge each other (U3). */
export const openApprovals = async (
  { approvals: documents }: Stored,
  { file }: LoadedConfig,
  configNow: () => Config,
  logger: Logger,
): Promise<Approvals> =>
  createApprovals({
    documents,
    config: file === undefined ? `no file in ${process.cwd()}` : await realpath(file).catch(() => file),
    clock: systemClock,
    logger,
    exempt: ({ source }) => ownSources.has(source),
    onChange: (name) => {
      const source = Object.hasOwn(configNow().sources, name) ? configNow().sources[name] : undefined
      return source && source.type !== 'misconfigured' ? source.onChange : 'hold'
    },
  })

/** For a caller who could see it: why it is held back, and what whoever runs the gateway types. */
export const tellHeld = (
  tool: Tool,
  { lock, approvals }: { readonly lock: Lock; readonly approvals: Approvals },
): string => {
  if (lock.isPresent)
    return say(
      'it is not what the lock file says. Whoever runs the gateway looks at it: pegboard lock diff',
      '与锁文件不同。请网关的管理员查看：pegboard lock diff',
    )
  const { approved, change, state } = approvals.standingOf(tool)
  if (!approved)
    return say(
      'what was approved cannot be read. Whoever runs the gateway looks at it: pegboard doctor',
      '无法读取已批准的内容。请网关的管理员查看：pegboard doctor',
    )
  const what = [...new Set(change.changes.map(({ path }) => path.split('.')[0]!))].join(', ')
  const why =
    state === 'rejected'
      ? say('its change was rejected', '其变化已被拒绝')
      : say(`its ${what} changed since it was approved`, `其 ${what} 在批准之后有变化`)
  return say(
    `${why}. Whoever runs the gateway looks at it: pegboard approvals show ${tool.id}`,
    `${why}。请网关的管理员查看：pegboard approvals show ${tool.id}`,
  )
}

const lookMs = 2000

/**
 * Where another process owns what is remembered, what is decided there counts here too. Looked at only while something is
 * held back. Returns how to stop.
 */
export const followDecisions = (gateway: Gateway, approvals: Approvals, clock: Clock): (() => void) => {
  if (approvals.canDecide) return () => {}
  let isOver = false
  let cancel = () => {}
  const look = async (): Promise<void> => {
    const held = gateway.catalog.held()
    if (held.length > 0 && (await approvals.refresh()) && !isOver)
      for (const { id } of held) gateway.catalog.reconsider(id)
    if (!isOver) cancel = clock.after(lookMs, () => void look())
  }
  cancel = clock.after(lookMs, () => void look())
  return () => {
    isOver = true
    cancel()
  }
}

/** What servers say to every model is approved like the words of a tool (U3): under the name of its source. */
export const instructionTools = ({ surfaces }: Pick<Gateway, 'surfaces'>): readonly Reviewed[] =>
  surfaces.all().flatMap(({ source, surface }) => {
    const text = surface.own ? undefined : surface.offer?.instructions?.trim()
    return text ? [toReviewed(source, text)] : []
  })

/** What a source may say now: its words where they are approved, else those that were. */
export const approvedInstructions =
  (approvals: Approvals) =>
  (source: string, text: string): string | undefined => {
    const tool = toReviewed(source, text)
    return approvals.review(tool) ? text : approvals.recordOf(tool)?.definition.description
  }

const toReviewed = (source: string, text: string): Reviewed => ({
  source,
  // No tool can have this name.
  name: '#instructions',
  id: `${source}#instructions`,
  definition: { name: 'instructions', description: text, inputSchema: { type: 'object' } },
})
