import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTexts } from '../i18n/texts.js'
import { Button } from './button.js'
import { ThrownText } from './error-text.js'

type Toast = { readonly text: string } | { readonly error: Error }

let shown: Toast | undefined
const listeners = new Set<() => void>()

const set = (toast: Toast | undefined): void => {
  shown = toast
  for (const listener of listeners) listener()
}

export const tell = (text: string): void => set({ text })

/** Runs something the reader asked for; what goes wrong is said at the bottom of the page. */
export const attempt = async (action: () => Promise<unknown>, done?: string): Promise<boolean> => {
  try {
    await action()
    if (done !== undefined) tell(done)
    return true
  } catch (error) {
    set({ error: error instanceof Error ? error : new Error(String(error)) })
    return false
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const Toaster = () => {
  const say = useTexts()
  const toast = useSyncExternalStore(subscribe, () => shown)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Shown anew each time, so that it stands above a dialog that was opened meanwhile.
    box.current?.hidePopover()
    if (!toast) return
    box.current?.showPopover()
    const timer = setTimeout(() => set(undefined), 'error' in toast ? 10_000 : 3000)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div ref={box} className="toaster" popover="manual" role="status" aria-live="polite">
      {toast && 'text' in toast && <p>{toast.text}</p>}
      {toast && 'error' in toast && (
        <p className="bad">
          <span>
            <ThrownText error={toast.error} />
          </span>
          <Button kind="quiet" icon="close" label={say('close')} onClick={() => set(undefined)} />
        </p>
      )}
    </div>
  )
}
