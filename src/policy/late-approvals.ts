import { GatewayError } from '../errors.js'
import type { CancelSignal } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import { outermostRun } from '../model/run-id.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import type { AskVerdict, CallApprovals, CallToApprove } from './call-rules.js'
import type { GrantAnswer } from './grant-answers.js'
import type { GrantBook, GrantBookOptions, GrantEvent } from './grant-book.js'
import type { GrantLinks } from './grant-links.js'
import type { AskingFacts, BoundCall, CallGrant } from './grants.js'

/** Whoever asks and answers about calls: faces, desks and programs. */
export interface CallAnswers {
  /** Told of every request, answer and end that this process has part in. */
  onEvent(listener: (event: GrantEvent) => void): () => void
  /** What waits for an answer first, then what was answered. */
  list(): Promise<readonly CallGrant[]>
  find(id: string): Promise<CallGrant | undefined>
  answer(id: string, answer: GrantAnswer): Promise<CallGrant>
  /** Resolves when it is answered or over, when that much time has passed, or when the caller leaves. */
  settled(id: string, waitMs: number, signal?: CancelSignal): Promise<CallGrant | undefined>
  /** The arguments of the last call of this tool to which somebody said yes here. */
  lastGranted(tool: string): Promise<string | undefined>
}

/** Those that were given, where they can be asked too; else for as long as this process, once somebody listens. */
export const lateApprovals = (given: CallApprovals | undefined, clock: Clock, logger: Logger): LateApprovals =>
  given instanceof LateApprovals
    ? given
    : new LateApprovals({
        documents: async () => (await import('../storage/memory/memory-documents.js')).createMemoryDocuments(),
        clock,
        logger,
      })

export interface LateApprovalsOptions extends Omit<GrantBookOptions, 'documents' | 'clock' | 'logger'> {
  readonly documents: () => SharedDocuments | Promise<SharedDocuments>
  readonly clock: Clock
  readonly logger: Logger
  /** Whether anybody could answer before somebody listens. Default: no. */
  readonly isReachable?: boolean | undefined
}

/** The book of grants, opened by the first call that a rule asks about, or by the first who looks: most never need it. */
export class LateApprovals implements CallApprovals, CallAnswers, AsyncDisposable {
  readonly #options: LateApprovalsOptions
  #listeners: readonly ((event: GrantEvent) => void)[] = []
  #isReachable: boolean
  #opening: Promise<GrantBook> | undefined
  #open: GrantBook | undefined
  #links: GrantLinks | undefined
  #closed = false

  constructor(options: LateApprovalsOptions) {
    this.#options = options
    this.#isReachable = options.isReachable ?? false
  }

  admit(asked: CallToApprove, verdict: AskVerdict): Promise<string> {
    if (!this.#isReachable) throw nobodyThere(asked, verdict)
    const call = boundOf(asked, verdict)
    const facts = factsOf(asked, verdict)
    if (asked.sync) throw this.#refusedNow(call, facts)
    return this.#book().then((book) => book.admit(call, facts).then(({ id }) => id))
  }

  /** Told of every request, answer and end that this process has part in. Whoever listens is taken for somebody who may answer. */
  onEvent(listener: (event: GrantEvent) => void): () => void {
    this.#isReachable = true
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== listener)
    }
  }

  async list(): Promise<readonly CallGrant[]> {
    return (await this.#book()).list()
  }

  async find(id: string): Promise<CallGrant | undefined> {
    return (await this.#book()).find(id)
  }

  async answer(id: string, answer: GrantAnswer): Promise<CallGrant> {
    return (await this.#book()).answer(id, answer)
  }

  async settled(id: string, waitMs: number, signal?: CancelSignal): Promise<CallGrant | undefined> {
    return (await this.#book()).settled(id, waitMs, signal)
  }

  /** Whoever asked wants it no more; see `GrantBook`. */
  async withdraw(id: string): Promise<void> {
    return (await this.#book()).withdraw(id)
  }

  async lastGranted(tool: string): Promise<string | undefined> {
    return (await this.#book()).lastGranted(tool)
  }

  /** A link by which whoever holds it may answer this request, once; undefined where it is no longer open. */
  async linkTo(id: string): Promise<string | undefined> {
    await this.#book()
    return this.#links?.make(id, this.#options.clock.wall())
  }

  /** The request that a link is for, while it can be answered by it. */
  async linked(token: string): Promise<CallGrant | undefined> {
    const book = await this.#book()
    const id = await this.#links?.find(token, this.#options.clock.wall())
    return id === undefined ? undefined : book.find(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const book = await this.#opening?.catch(() => undefined)
    await book?.[Symbol.asyncDispose]()
  }

  #book(): Promise<GrantBook> {
    if (this.#closed && !this.#opening) return Promise.reject(closed())
    this.#opening ??= this.#openBook().catch((error) => {
      // Asked for again by the next: what could not be opened may be there by then.
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #openBook(): Promise<GrantBook> {
    const [{ GrantBook }, { GrantLinks }, { GrantRows }, documents] = await Promise.all([
      import('./grant-book.js'),
      import('./grant-links.js'),
      import('./grant-rows.js'),
      this.#options.documents(),
    ])
    const book = new GrantBook({ ...this.#options, documents })
    this.#links = new GrantLinks(new GrantRows(documents))
    book.onEvent((event) => {
      for (const listener of this.#listeners) listener(event)
    })
    this.#open = book
    return book
  }

  /** A synchronous call cannot wait for the store; the request is made behind its back. */
  #refusedNow(call: BoundCall, facts: AskingFacts): GatewayError {
    if (this.#open) return this.#open.refuseNow(call, facts)
    this.#book()
      .then((book) => book.refuseNow(call, facts))
      .catch(() => {})
    return new GatewayError(
      'APPROVAL_REQUIRED',
      `Somebody has to approve this call of ${call.tool}, which is asked now; nothing was sent. Call again by an asynchronous call after they said yes.`,
      { details: { tool: call.tool, rule: call.rules[0] }, notSent: true },
    )
  }
}

const boundOf = ({ caller, profile, target, args }: CallToApprove, { rules, terms }: AskVerdict): BoundCall => ({
  caller: caller.id,
  profile,
  tool: target.id,
  definition: 'definition' in target ? definitionHash(target.definition) : '',
  rules,
  terms,
  args,
})

const factsOf = ({ caller, call, target, secretArguments }: CallToApprove, { reason }: AskVerdict): AskingFacts => ({
  person: caller.identity?.id,
  callerName: caller.identity?.name ?? caller.identity?.email,
  title: 'definition' in target ? (target.definition.title ?? target.definition.annotations?.title) : undefined,
  run: call.run && outermostRun(call.run),
  reason,
  secretArguments: secretArguments?.length ? secretArguments : undefined,
})

const nobodyThere = ({ target }: CallToApprove, { rules }: AskVerdict): GatewayError => {
  const reason = 'somebody has to approve it, and nobody can be asked here'
  return new GatewayError(
    'APPROVAL_DENIED',
    `'${target.id}' may not be called so: ${reason} (rule ${rules.join(', ')}).`,
    {
      details: { tool: target.id, rule: rules[0], reason },
      notSent: true,
    },
  )
}

const closed = (): GatewayError =>
  new GatewayError('STORE_UNAVAILABLE', 'The gateway is closing; nothing was sent.', { notSent: true })
