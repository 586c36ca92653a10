import { type ReactNode, useEffect, useRef, useState } from 'react'

export interface RowsProps<Row> {
  readonly rows: readonly Row[]
  readonly rowHeight: number
  readonly label: string
  /** The row to begin with; a reader who came by a link should see where it is. */
  readonly start?: number
  keyOf(row: Row): string | number
  render(row: Row): ReactNode
}

const spare = 8

/** A list of any length: only what can be seen is there. Rows have one height, so that nothing must be measured. */
export const Rows = <Row,>({ rows, rowHeight, label, start = 0, keyOf, render }: RowsProps<Row>) => {
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: where to begin counts once
  useEffect(() => {
    const element = box.current!
    if (start * rowHeight > element.clientHeight) element.scrollTop = (start - 2) * rowHeight
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const watching = new ResizeObserver(look)
    watching.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watching.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + spare)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <section ref={box} className="rows" tabIndex={0} aria-label={label}>
      <ul style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={keyOf(row)}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: rowHeight }}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
          >
            {render(row)}
          </li>
        ))}
      </ul>
    </section>
  )
}
