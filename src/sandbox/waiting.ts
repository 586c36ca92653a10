/** What a call that waits for a person was told. */
export type WaitedFor = Readonly<Record<string, unknown>>

/** What a call waits for: of a script all that it waits for itself, the first as it was told. */
export const openIn = (held: WaitedFor): readonly WaitedFor[] => {
  if (!Array.isArray(held.approvals)) return [held]
  const [first, ...more] = held.approvals as readonly WaitedFor[]
  return [{ ...held, approvals: undefined, tool: first?.tool }, ...more]
}

// As little as tells them apart: a model reads a line of each.
export const inShort = ({ approval, id = approval, tool, rule, expiresAt }: WaitedFor): WaitedFor => ({
  id,
  tool,
  rule,
  expiresAt,
})

export const resumeHint = (run: string, calls: number): string =>
  `A person has been asked about ${calls === 1 ? 'a call' : `${calls} calls together`}, as ${run} (pegboard approve ${run}). Call run_script with resume: "${run}" when they have answered, or go on with something else.`
