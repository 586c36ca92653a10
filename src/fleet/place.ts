/**
 * Rendezvous: everybody who knows the same candidates names the same one for the same thing, and when one of them goes, only
 * what was its own moves. Undefined where there is no candidate.
 */
export const rendezvous = (thing: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let most = -1
  for (const candidate of candidates) {
    const weight = weightOf(thing, candidate)
    if (best === undefined || weight > most || (weight === most && candidate > best)) {
      best = candidate
      most = weight
    }
  }
  return best
}

/**
 * FNV-1a over both, then murmur's last mix: without it names that differ in their last digit alone would get weights of one
 * order for everything. No digest of a library: this is asked per call where callers have places.
 */
const weightOf = (thing: string, candidate: string): number => {
  let hash = 0x811c9dc5
  const take = (text: string): void => {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  take(candidate)
  hash = Math.imul(hash ^ 0x1_0000, 0x01000193)
  take(thing)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
