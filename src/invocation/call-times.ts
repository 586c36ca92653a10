/** How long one call waited, and was at its source; made only while somebody keeps times, since both cost looks at the clock. */
export class CallTimes {
  waitingMs = 0
  sourceMs = 0
  #what: 'waiting' | 'source' | undefined = undefined
  #since = 0

  begin(what: 'waiting' | 'source', now: number): void {
    this.#what = what
    this.#since = now
  }

  /** Of what was begun last. A call that is given up ends what it was at; then there is nothing left to end. */
  end(now: number): void {
    if (this.#what === 'source') this.sourceMs += now - this.#since
    else if (this.#what === 'waiting') this.waitingMs += now - this.#since
    this.#what = undefined
  }

  /** In which its caller was asked something: that was no time of the source's. */
  pausedFor(ms: number): void {
    const paused = Math.min(ms, this.sourceMs)
    this.sourceMs -= paused
    this.waitingMs += paused
  }
}
