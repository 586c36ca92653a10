import { type KeyboardEvent, useEffect, useRef } from 'react'

/** Up and down from row to row; what is focused in a row is marked by `data-row`. */
export const walkRows = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || (event.target as HTMLElement).dataset.row === undefined) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = rows[rows.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** `/` goes to the filter, as in many lists. */
export const useSlash = (focus: () => void): void => {
  const latest = useRef(focus)
  latest.current = focus
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const { tagName } = event.target as HTMLElement
      if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(tagName)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
