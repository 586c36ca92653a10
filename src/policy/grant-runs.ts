import { type GatewayError, isGatewayError } from '../errors.js'
import { type GrantAnswer, noSuchApproval } from './grant-answers.js'
import type { CallGrant } from './grants.js'
import type { CallAnswers } from './late-approvals.js'

/** What became of an answer to everything that one script asks for. */
export interface RunAnswer {
  readonly run: string
  readonly answered: readonly CallGrant[]
  /** Those to which it could not be given by them, and why. */
  readonly refused: readonly { readonly grant: CallGrant; readonly error: GatewayError }[]
}

/**
 * One answer to what a script asks for: each request is answered for itself, and stays a yes to exactly one call. With `only`, to
 * those and no others: a script that still runs may have asked for more since somebody looked. Rejects where none could be.
 */
export const answerRun = async (
  answers: Pick<CallAnswers, 'list' | 'answer'>,
  id: string,
  answer: GrantAnswer,
  only?: readonly string[],
): Promise<RunAnswer> => {
  const known = (await answers.list()).filter(({ run }) => run !== undefined)
  const run = runNamed(known, id)
  const isOpen = ({ state }: CallGrant): boolean =>
    state === 'asked' || (answer.decision === 'deny' && state === 'granted')
  const open = known.filter((grant) => grant.run === run && (only ? only.includes(grant.id) : isOpen(grant)))
  if (open.length === 0) throw noSuchApproval(id)
  const answered: CallGrant[] = []
  const refused: RunAnswer['refused'][number][] = []
  for (const grant of open)
    try {
      answered.push(await answers.answer(grant.id, answer))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      refused.push({ grant, error })
    }
  if (answered.length === 0) throw refused[0]!.error
  return { run, answered, refused }
}

/** By its id, or by how that begins where only one does. */
const runNamed = (grants: readonly CallGrant[], id: string): string => {
  const runs = [...new Set(grants.map(({ run }) => run!))]
  if (runs.includes(id)) return id
  const [first, ...more] = id.length < 6 ? [] : runs.filter((run) => run.startsWith(id))
  if (first === undefined || more.length > 0) throw noSuchApproval(id)
  return first
}
