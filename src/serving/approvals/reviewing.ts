import type { Approvals } from '../../catalog/approvals.js'
import { Findings, type FoundIn } from '../../catalog/findings.js'
import { createOfferReview, type OfferReview } from '../../catalog/offers/review-offer.js'
import { type Reviewed, reviewedInstructions, reviewedPrompt, reviewedTemplate } from '../../catalog/reviewed.js'
import type { Gateway, Supervised } from '../../gateway.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { EffectWords } from '../../policy/effects.js'
import { type Neighbours, scan } from '../../scanner/scan.js'
import { type Lock, lockFileOf, openLock } from '../lock-file.js'
import { ownSources } from '../sources/own-sources.js'
import type { Persist } from '../stored.js'
import { createFourEyes, type FourEyes } from './four-eyes.js'
import { type ApprovalsAround, configKey, openApprovals, ownConfig, usableSource } from './open-approvals.js'

/** Who decides what of the sources' words is shown: the lock file where it speaks of them, else what was approved. */
export interface Reviewing {
  readonly approvals: Approvals
  readonly lock: Lock
  /** What somebody here says about what tools do. */
  readonly effects: EffectWords
  /** Whether somebody else has to approve. */
  readonly fourEyes: FourEyes
  review(item: Reviewed): boolean
  readonly reviewOffer: OfferReview
  /** What a source may say to every model: its words where they are approved, else those that were. */
  instructions(source: string, text: string): string | undefined
  /** What waits for a decision besides tools, and whatever a lock file should hold besides them. */
  heldWords(): readonly Reviewed[]
  words(): readonly Reviewed[]
  /** Tools that wait for a decision. */
  heldTools(): readonly Reviewed[]
  /** Asks again about what is held back, or about everything. */
  reconsider(which: 'held' | 'all'): void
  /** Follows this gateway. Returns how to stop. */
  follow(gateway: Gateway): () => void
  /** A source has started and said which tools it has. Resolves when the scanner has read them. */
  reported(source: string): Promise<void>
  /** What the scanner reads now; until then sources show less than they said. Undefined where it has read everything. */
  reading(): Promise<void> | undefined
  /** Resolves when what started sources say besides tools was read, or took too long. */
  settledWords(): Promise<void>
  /** Told when something else may be held back than before. */
  onReviewed(listener: () => void): () => void
  /** Told in what the scanner found something, once each. */
  onFound(listener: (found: readonly FoundIn[]) => void): () => void
}

export interface ReviewingAround extends Omit<ApprovalsAround, 'findingsOf'> {
  /** `approve.fourEyes`, as it is now. */
  readonly isFourEyes: () => boolean
}

export const openReviewing = async (around: ReviewingAround): Promise<Reviewing> => {
  const { loaded, logger, stored, configNow, isFourEyes } = around
  const lock = await openLock(lockFileOf(loaded), ownSources, logger)
  let board: Gateway | undefined
  const finders = new Set<(found: readonly FoundIn[]) => void>()
  const reviewers = new Set<() => void>()
  const tellReviewers = (): void => {
    for (const listener of reviewers) listener()
  }
  const findings = new Findings({
    scan,
    clock: systemClock,
    neighboursOf: createNeighbours(() => board),
    onScanned: () => {
      approvals.touch()
      reconsider('held')
    },
    onFound: (found) => {
      for (const listener of finders) listener(found)
    },
  })
  const approvals = await openApprovals({ ...around, findingsOf: (item) => findings.of(item) })
  const review = (item: Reviewed): boolean => (lock.speaksOf(item) ? lock.review(item) : approvals.review(item))
  let lockReads = 0
  const reviewOffer = createOfferReview({ review, version: () => approvals.version + lockReads })
  const offered = () =>
    (board?.surfaces.all() ?? []).flatMap(({ source, surface: { own, offer } }) =>
      offer && !own ? [{ source, offer }] : [],
    )
  const instructionsOf = ({ source, offer }: ReturnType<typeof offered>[number]): readonly Reviewed[] => {
    const text = offer.instructions?.trim()
    return text ? [reviewedInstructions(source, text)] : []
  }
  /** Looks at what is offered now; the answer tells when something else is shown. */
  const look = (): string =>
    JSON.stringify(
      offered().map((each) => {
        for (const item of instructionsOf(each)) review(item)
        const { prompts, templates, held = [] } = reviewOffer(each.source, each.offer)
        return [each.source, prompts.length, templates.length, held.map(({ id }) => id)]
      }),
    )
  let shown = ''
  const reconsider = (which: 'held' | 'all'): void => {
    if (which === 'all') {
      lockReads += 1
      // Others may have said something else about what a tool does.
      board?.policy.recheck()
    }
    board?.catalog.recheck(which)
    const now = look()
    if (now !== shown) {
      shown = now
      board?.surfaces.recheck()
    }
    tellReviewers()
  }
  const reading = new Set<Promise<void>>()
  /** What is new from here on is new: the first report is over, unless the source is another by now. */
  const reported = async (source: string): Promise<void> => {
    const was = board?.supervised(source)
    await findings.settled()
    if (board?.supervised(source) !== was) return
    approvals.reported(source, 'tools')
    tellReviewers()
    const words: Promise<void> = wordsReported(source, was).finally(() => reading.delete(words))
    reading.add(words)
  }
  const wordsReported = async (source: string, was: Supervised | undefined): Promise<void> => {
    const surfaceOf = () => board?.surfaces.all().find((each) => each.source === source)?.surface
    await surfaceOf()?.settled()
    look()
    await findings.settled()
    const surface = surfaceOf()
    // A list that could not be read was not in the report: else a server could keep its first one open for ever.
    if (board?.supervised(source) !== was || (surface && !surface.offer)) return
    look()
    approvals.reported(source, 'offer')
    tellReviewers()
  }
  const isHeld = (item: Reviewed): boolean => (lock.speaksOf(item) ? !lock.review(item) : approvals.isHeld(item))

  return {
    approvals,
    lock,
    effects: {
      isStated: ({ id, name, source, own, definition }) =>
        name !== undefined && source !== undefined && definition !== undefined
          ? approvals.readonlyBy({ id, name, source, own, definition }) !== undefined
          : false,
      trusts: (source) => usableSource(configNow(), source)?.annotations === 'trust',
    },
    fourEyes: createFourEyes({
      documents: (stored.store ?? stored.reader).documents('registrants'),
      isOn: isFourEyes,
      config: configKey(stored, await ownConfig(loaded)),
      now: () => systemClock.wall(),
    }),
    review,
    reviewOffer,
    instructions: (source, text) => {
      const item = reviewedInstructions(source, text)
      if (review(item)) return text
      return (lock.pinOf(item) ?? approvals.recordOf(item))?.definition.description
    },
    heldTools: () => (board?.catalog.held() ?? []).filter(isHeld),
    heldWords: () =>
      offered().flatMap((each) => [
        ...instructionsOf(each).filter(isHeld),
        ...(reviewOffer(each.source, each.offer).held ?? []).filter(isHeld),
      ]),
    words: () =>
      offered().flatMap((each) => [
        ...instructionsOf(each),
        ...each.offer.prompts.map((prompt) => reviewedPrompt(each.source, prompt)),
        ...each.offer.templates.map((template) => reviewedTemplate(each.source, template)),
      ]),
    reconsider,
    reported,
    reading: () => findings.reading(),
    settledWords: async () => {
      let cancel = (): void => {}
      const late = new Promise<void>((resolve) => {
        cancel = systemClock.after(settleMs, resolve, true)
      })
      await Promise.race([late, Promise.all(reading)])
      // Else a command that has said all would stay for the rest of it.
      cancel()
    },
    onReviewed: (listener) => {
      reviewers.add(listener)
      return () => void reviewers.delete(listener)
    },
    onFound: (listener) => {
      finders.add(listener)
      return () => void finders.delete(listener)
    },
    follow: (gateway) => {
      board = gateway
      const stops = [
        gateway.onSource(({ name, status }) => {
          if (status.state === 'ready') void reported(name)
        }),
        gateway.surfaces.subscribe({
          changed: () => {
            shown = look()
          },
          updated: () => {},
        }),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}

/** The names on the board, from where one source stands. Made anew when tools came or went. */
const createNeighbours = (board: () => Gateway | undefined): ((source: string) => Neighbours) => {
  let known: { readonly mark: string; readonly bySource: ReadonlyMap<string, ReadonlySet<string>> } | undefined
  const namesBySource = (gateway: Gateway): ReadonlyMap<string, ReadonlySet<string>> => {
    const held = gateway.catalog.held()
    const mark = `${gateway.catalog.version}/${held.length}`
    if (known?.mark === mark) return known.bySource
    const bySource = new Map<string, Set<string>>()
    for (const { own, source, name } of [...gateway.catalog.snapshot().tools, ...held])
      if (!own) bySource.set(source, (bySource.get(source) ?? new Set<string>()).add(name))
    known = { mark, bySource }
    return bySource
  }
  return (source) => {
    const gateway = board()
    if (!gateway) return { own: new Set(), others: new Set() }
    const bySource = namesBySource(gateway)
    const others = new Set([...bySource].flatMap(([name, names]) => (name === source ? [] : [name, ...names])))
    return { own: bySource.get(source) ?? new Set(), others }
  }
}

// As long as lists wait for a source that is reading its own.
const settleMs = 3000
const lookMs = 2000
const mostLooks = 30

/**
 * What others decide counts here too. Where several replicas share what is remembered they are told; where another process
 * owns it, it is looked at while something is held back, and for a while after a source was first seen here, since the owner
 * may have seen less of it. Returns how to stop.
 */
export const followDecisions = (
  { approvals, reconsider, heldTools, heldWords }: Reviewing,
  clock: Clock,
  persist: Persist,
): (() => void) => {
  const leave = approvals.follow(() => reconsider('all'))
  if (leave) return leave
  if (approvals.canDecide || persist !== 'if-free') return () => {}
  let isOver = false
  let cancel = () => {}
  let looks = 0
  const isOfInterest = (): boolean =>
    (approvals.isProvisional && ++looks <= mostLooks) || heldTools().length > 0 || heldWords().length > 0
  const look = async (): Promise<void> => {
    if (isOfInterest() && (await approvals.refresh()) && !isOver) reconsider('all')
    if (!isOver) cancel = clock.after(lookMs, () => void look())
  }
  cancel = clock.after(lookMs, () => void look())
  return () => {
    isOver = true
    cancel()
  }
}
