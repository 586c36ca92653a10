/** What stands behind the archive, written by `mcpb sign`: who made it, as far as somebody checks it. We do not. */
export interface SignatureBlock {
  /** Where it begins; the archive ends there. */
  readonly start: number
  /** Of the signature in it, a PKCS#7 message. */
  readonly bytes: number
}

const head = Buffer.from('MCPB_SIG_V1')
const foot = Buffer.from('MCPB_SIG_END')
/** What a comment of an archive can hold, with what stands around it. */
const furthest = 70_000

/** The block at the end of a signed bundle; undefined where there is none, or nothing that could be one. */
export const signatureOf = (file: Buffer): SignatureBlock | undefined => {
  if (file.length < head.length + 4 + foot.length) return undefined
  if (!file.subarray(-foot.length).equals(foot)) return undefined
  const from = Math.max(0, file.length - furthest)
  const at = file.subarray(from).lastIndexOf(head)
  if (at < 0 || from + at + head.length + 4 > file.length - foot.length) return undefined
  const start = from + at
  const bytes = file.readUInt32LE(start + head.length)
  return start + head.length + 4 + bytes <= file.length - foot.length ? { start, bytes } : undefined
}
