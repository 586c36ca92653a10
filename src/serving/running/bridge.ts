import type { Readable, Writable } from 'node:stream'
import { createConversation } from './conversation.js'
import { createWholeLines, linesOf } from './whole-lines.js'

/** What answers the client at the moment: a socket into the gateway, or a board in this process. */
export interface FarSide {
  readonly input: Writable
  readonly output: Readable
  close(): void
}

export interface BridgeOptions {
  readonly input: Readable
  readonly output: Writable
  readonly first: FarSide
  /** The next one when it is gone. Rejects where there is none, which ends the bridge. */
  reopen(): Promise<FarSide>
}

export interface Bridge {
  /** Resolves when the client has left; rejects when nothing can answer it any more. */
  readonly ended: Promise<void>
  close(): void
}

// A gateway ends its side as soon as it hears the end of ours; one that hangs must not keep a client's child. Long enough for one on
// a machine that is busy: what it was about to answer would be lost.
const departMs = 5000

/**
 * Hands lines on between a client and a gateway, as they are, and looks at no more of them than their ids. When the gateway
 * dies, what was asked is answered with an error that says so; the next one is brought to where the old one was.
 */
export const createBridge = ({ input, output, first, reopen }: BridgeOptions): Bridge => {
  const conversation = createConversation()
  const fromClient = createWholeLines()
  const fromGateway = createWholeLines()
  /** What came before the input heard that it should pause. */
  const waiting: Buffer[] = []
  let far: FarSide | undefined
  let isGreeting = false
  /** Told when the gateway has answered what was said in the client's name. */
  let onOwnAnswer: (() => void) | undefined
  let isDeparting = false
  let isOver = false
  let finish!: () => void
  let fail!: (error: unknown) => void
  const ended = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })

  const toClient = (lines: readonly string[]): void => {
    if (lines.length > 0) output.write(`${lines.join('\n')}\n`)
  }
  const toGateway = (lines: readonly string[]): void => {
    if (lines.length > 0) far?.input.write(`${lines.join('\n')}\n`)
  }

  const onClientData = (chunk: Buffer): void => {
    const block = fromClient.take(chunk)
    if (block) send(block)
  }
  const send = (block: Buffer): void => {
    const side = far
    if (!side || isGreeting) return void waiting.push(block)
    for (const line of linesOf(block)) conversation.fromClient(line)
    if (side.input.write(block)) return
    input.pause()
    side.input.once('drain', () => side === far && !isGreeting && input.resume())
  }

  const onGatewayData = (chunk: Buffer): void => {
    const block = fromGateway.take(chunk)
    if (!block) return
    const own = onOwnAnswer
    const kept: Buffer[] = []
    let isWhole = true
    for (const line of linesOf(block)) {
      if (conversation.fromGateway(line)) kept.push(line)
      else isWhole = false
    }
    if (!isWhole) own?.()
    if (kept.length === 0) return
    const shown = isWhole ? block : Buffer.concat(kept.flatMap((line) => [line, Buffer.from('\n')]))
    if (output.write(shown)) return
    far?.output.pause()
    output.once('drain', () => far?.output.resume())
  }

  const connect = (side: FarSide): void => {
    far = side
    fromGateway.clear()
    let isGone = false
    const onGone = (): void => {
      if (isGone || isOver) return
      if (isDeparting) return leave()
      isGone = true
      side.output.off('data', onGatewayData)
      side.close()
      far = undefined
      void carryOn().catch(leave)
    }
    side.input.on('error', onGone)
    side.output.on('data', onGatewayData)
    side.output.once('end', onGone).once('close', onGone).once('error', onGone)
    side.output.resume()
  }

  const carryOn = async (): Promise<void> => {
    input.pause()
    onOwnAnswer?.()
    toClient(conversation.lost())
    const next = await reopen()
    if (isOver) return next.close()
    isGreeting = true
    connect(next)
    const { before, after } = conversation.replay()
    if (before.length > 0) {
      const answered = new Promise<void>((resolve) => {
        onOwnAnswer = resolve
      })
      toGateway(before)
      await answered
      onOwnAnswer = undefined
    }
    // Gone again while it was greeted: whoever comes next is greeted in its stead.
    if (far !== next) return
    toGateway(after)
    toClient(conversation.resumed())
    isGreeting = false
    for (const block of waiting.splice(0)) send(block)
    input.resume()
  }

  /** The client has said all it will: what the gateway has answered by then still reaches it, as it does without a bridge. */
  const depart = (): void => {
    if (isOver || isDeparting) return
    if (!far || isGreeting) return leave()
    isDeparting = true
    far.input.end()
    setTimeout(() => leave(), departMs).unref()
  }

  const leave = (error?: unknown): void => {
    if (isOver) return
    isOver = true
    input.off('data', onClientData)
    far?.close()
    if (error === undefined) finish()
    else fail(error)
  }

  output.on('error', () => leave())
  input.on('data', onClientData)
  input
    .once('end', depart)
    .once('close', depart)
    .once('error', () => leave())
  connect(first)
  return { ended, close: () => leave() }
}
