import { useEffect, useSyncExternalStore } from 'react'

interface Toast {
  readonly text: string
  readonly bad: boolean
}

let shown: Toast | undefined
const listeners = new Set<() => void>()

const set = (toast: Toast | undefined): void => {
  shown = toast
  for (const listener of listeners) listener()
}

export const tell = (text: string): void => set({ text, bad: false })

/** Runs something the reader asked for; what goes wrong is said at the bottom of the page. */
export const attempt = async (action: () => Promise<unknown>, done?: string): Promise<boolean> => {
  try {
    await action()
    if (done !== undefined) tell(done)
    return true
  } catch (error) {
    set({ text: error instanceof Error ? error.message : String(error), bad: true })
    return false
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const Toaster = () => {
  const toast = useSyncExternalStore(subscribe, () => shown)
  useEffect(() => {
    if (!toast) return
    const timer = setTimeout(() => set(undefined), toast.bad ? 8000 : 3000)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div className="toaster" role="status" aria-live="polite">
      {toast && <p className={toast.bad ? 'bad' : undefined}>{toast.text}</p>}
    </div>
  )
}
