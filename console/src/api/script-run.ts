import { useSyncExternalStore } from 'react'
import type { TriedScript } from '../../../src/faces/admin/scripts.js'
import { request } from './client.js'
import { scriptPlace } from './session.js'

/** What is written on the page of scripts. */
export interface ScriptDraft {
  readonly script: string
  /** JSON, or nothing. */
  readonly input: string
  readonly seconds: string
  readonly profile: string
}

/** What is asked of the gateway: a script, or a paused run. */
export interface ScriptAsked {
  readonly script?: string
  readonly input?: unknown
  readonly timeoutMs?: number | undefined
  readonly resume?: string
  readonly profile?: string | undefined
}

/** The script that was run last: it goes on, and is still there, when its reader has looked at another page. */
export interface ScriptState {
  readonly draft: ScriptDraft
  /** How many have been run here. */
  readonly turn: number
  readonly isRunning: boolean
  readonly run: string | undefined
  /** The profile through which it was run: a paused run is gone on with through the same. */
  readonly profile: string | undefined
  readonly answer: TriedScript | undefined
  /** It could not be asked for, or its answer was lost on the way. */
  readonly error: Error | undefined
  readonly isCancelled: boolean
}

const nothing: ScriptState = {
  draft: { script: '', input: '', seconds: '', profile: '' },
  turn: 0,
  isRunning: false,
  run: undefined,
  profile: undefined,
  answer: undefined,
  error: undefined,
  isCancelled: false,
}

let whose: string | undefined
let state = nothing
let leaving: AbortController | undefined
const listeners = new Set<() => void>()

/** What the reader wrote and ran; of somebody who was here before them, nothing. */
export const useScript = (reader: string): ScriptState => {
  if (whose !== reader) begin(reader)
  return useSyncExternalStore(subscribe, () => state)
}

export const editScript = (change: Partial<ScriptDraft>): void => {
  set({ draft: { ...state.draft, ...change } })
  keep()
}

/** Runs it, or goes on with a run that waits. */
export const runScript = async (order: ScriptAsked): Promise<void> => {
  if (state.isRunning) return
  const own = new AbortController()
  leaving = own
  set({ ...nothing, draft: state.draft, profile: order.profile, turn: state.turn + 1, isRunning: true })
  try {
    const response = await request('POST', '/scripts', { body: order, signal: own.signal })
    if (own === leaving) set({ run: response.headers.get('x-pegboard-run') ?? undefined })
    const answer = (await response.json()) as TriedScript
    if (own === leaving) set({ answer, run: answer.report?.run ?? answer.error?.run ?? state.run })
  } catch (error) {
    if (own === leaving) set(own.signal.aborted ? { isCancelled: true } : { error: error as Error })
  }
  if (own !== leaving) return
  set({ isRunning: false })
  keep()
}

/** The gateway hears that nobody waits any more, and ends the script. */
export const cancelScript = (): void => leaving?.abort()

const set = (change: Partial<ScriptState>): void => {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const begin = (reader: string): void => {
  leaving?.abort()
  leaving = undefined
  whose = reader
  state = { ...nothing, ...keptOf(reader) }
}

// What looks like a key of ours is nowhere kept, whoever wrote it there.
const keyShape = /rtk_[0-9a-f]{8}/

/** Until the tab is closed or somebody signs out: what was written, and what waits for a person. */
const keep = (): void => {
  const { draft, answer, profile } = state
  const paused = answer?.report?.paused ? answer : undefined
  const text = JSON.stringify({ whose, draft, paused, profile })
  try {
    if (keyShape.test(text)) sessionStorage.removeItem(scriptPlace)
    else sessionStorage.setItem(scriptPlace, text)
  } catch {
    // It is full, or the browser keeps nothing: then it is here only while the page is.
  }
}

const keptOf = (reader: string): Partial<ScriptState> => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(scriptPlace) ?? 'null')
    if (kept?.whose !== reader) return {}
    const draft = { ...nothing.draft, ...kept.draft }
    return kept.paused ? { draft, profile: kept.profile, answer: kept.paused, run: kept.paused.report.run } : { draft }
  } catch {
    return {}
  }
}
