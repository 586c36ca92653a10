import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

export interface RowsProps<Row> {
  readonly rows: readonly Row[]
  /** One for all, or one for each kind of row: said, so that nothing must be measured. */
  readonly rowHeight: number | ((row: Row) => number)
  readonly label: string
  /** The key of the row to bring into sight when it becomes another: a reader who came by a link should see where it is. */
  readonly at?: string | number | undefined
  keyOf(row: Row): string | number
  render(row: Row): ReactNode
}

const spare = 8

/** A list of any length: only what can be seen is there. */
export const Rows = <Row,>({ rows, rowHeight, label, at, keyOf, render }: RowsProps<Row>) => {
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const tops = useMemo(() => topsOf(rows, rowHeight), [rows, rowHeight])
  useEffect(() => {
    const element = box.current!
    const look = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const watching = new ResizeObserver(look)
    watching.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watching.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const place = at === undefined ? -1 : rows.findIndex((row) => keyOf(row) === at)
  // biome-ignore lint/correctness/useExhaustiveDependencies: brought into sight once, then the reader scrolls as they like
  useEffect(() => {
    const element = box.current!
    if (place < 0) return
    const [top, bottom] = [tops(place), tops(place + 1)]
    const isSeen = top >= element.scrollTop && bottom <= element.scrollTop + element.clientHeight
    if (!isSeen) element.scrollTop = top - (element.clientHeight - (bottom - top)) / 3
  }, [at, place < 0])
  const first = Math.max(0, indexAt(tops, rows.length, view.top) - spare)
  const last = Math.min(rows.length, indexAt(tops, rows.length, view.top + view.height) + 1 + spare)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
    <section ref={box} className="rows" tabIndex={0} aria-label={label}>
      <ul style={{ height: tops(rows.length) }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={keyOf(row)}
            style={{
              transform: `translateY(${tops(first + index)}px)`,
              height: tops(first + index + 1) - tops(first + index),
            }}
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

/** Where each row begins; the one behind the last is where all end. */
const topsOf = <Row,>(rows: readonly Row[], height: RowsProps<Row>['rowHeight']): ((index: number) => number) => {
  if (typeof height === 'number') return (index) => index * height
  const sums = new Float64Array(rows.length + 1)
  rows.forEach((row, index) => {
    sums[index + 1] = sums[index]! + height(row)
  })
  return (index) => sums[index] ?? 0
}

/** The row that stands at this height. */
const indexAt = (tops: (index: number) => number, count: number, y: number): number => {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tops(middle + 1) <= y) low = middle + 1
    else high = middle
  }
  return low
}
