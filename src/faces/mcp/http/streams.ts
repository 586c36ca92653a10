/** So many streams stay open at once, whoever's they are: each holds a connection. */
export class StreamRoom {
  most: number
  #open = 0

  constructor(most = 10_000) {
    this.most = most
  }

  get size(): number {
    return this.#open
  }

  /** False where there is no room; else `leave` must follow. */
  enter(): boolean {
    if (this.#open >= this.most) return false
    this.#open += 1
    return true
  }

  leave(): void {
    this.#open -= 1
  }
}

export const tooManyStreams = 'Too many streams are open here (server.limits.maxStreams); ask without one, or later.'
export const tooManySessions = 'Too many sessions are in use here (server.limits.maxSessions); try again later.'
