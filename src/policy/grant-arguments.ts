import { randomBytes } from 'node:crypto'
import { wholeHead } from '../model/fit/fit-text.js'
import { canonicalJson } from '../schema/canonical.js'
import type { CallGrant } from './grants.js'

/** Larger arguments are asked about by their hash and by how they begin. */
const keptBytes = 64 * 1024
const headBytes = 8 * 1024
const mostRemembered = 256

/** What approvers are shown: in the record while it is open, or only in the memory of this process. */
export class GrantArguments {
  /** Which process this is, to records whose arguments are not kept. */
  readonly #place = randomBytes(8).toString('hex')
  readonly #isKept: () => boolean
  readonly #open = new Map<string, string>()
  readonly #granted = new Map<string, string>()

  constructor(isKept: () => boolean) {
    this.#isKept = isKept
  }

  /** The record with what is to be kept of its arguments. */
  noted(grant: Omit<CallGrant, 'argsBytes'>, args: unknown): CallGrant {
    const text = canonicalJson(args)
    const argsBytes = Buffer.byteLength(text)
    const shown = argsBytes > keptBytes ? wholeHead(text, headBytes) : text
    if (this.#isKept()) return { ...grant, args: shown, argsBytes }
    this.#open.set(grant.id, shown)
    return { ...grant, argsAt: this.#place, argsBytes }
  }

  /** Whether whoever answers could be shown what they answer. */
  has(grant: CallGrant): boolean {
    return this.of(grant) !== undefined
  }

  of({ id, args, argsAt }: CallGrant): string | undefined {
    return args ?? (argsAt === this.#place ? this.#open.get(id) : undefined)
  }

  granted(grant: CallGrant): void {
    const text = this.of(grant)
    this.forget(grant.id)
    if (text === undefined) return
    this.#granted.delete(grant.tool)
    this.#granted.set(grant.tool, text)
    const [oldest] = this.#granted.keys()
    if (this.#granted.size > mostRemembered && oldest !== undefined) this.#granted.delete(oldest)
  }

  lastGranted(tool: string): string | undefined {
    return this.#granted.get(tool)
  }

  forget(id: string): void {
    this.#open.delete(id)
  }
}

/** Whether only the beginning of its arguments is known. */
export const isCut = ({ argsBytes }: Pick<CallGrant, 'argsBytes'>): boolean => argsBytes > keptBytes
