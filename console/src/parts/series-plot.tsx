import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useShownTheme } from '../theme.js'

/** A stretch of time, in milliseconds since the epoch. */
export type Stretch = readonly [from: number, until: number]

export interface SeriesPlotProps {
  /** When each point begins, oldest first. */
  readonly at: readonly number[]
  readonly bucketMs: number
  /** One row of figures per drawing, the first behind. */
  readonly rows: readonly (readonly (number | null)[])[]
  readonly draw: 'bars' | 'lines'
  readonly label: string
  /** Told the time that somebody dragged over, or the point they clicked. */
  onZoom?(stretch: Stretch): void
}

const height = 170

/** Figures over any time. A picture of numbers that stand beside it as text. */
export const SeriesPlot = ({ at, bucketMs, rows, draw, label, onZoom }: SeriesPlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const data: uPlot.AlignedData = [at.map((each) => each / 1000), ...rows.map((row) => [...row])]
  const latest = useRef({ data, onZoom, bucketMs })
  latest.current = { data, onZoom, bucketMs }
  const theme = useShownTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    const element = box.current!
    const tell = (from: number, until: number): void => {
      const { bucketMs: step } = latest.current
      const first = Math.floor((from * 1000) / step) * step
      latest.current.onZoom?.([first, Math.max(first + step, Math.ceil((until * 1000) / step) * step)])
    }
    const made = new uPlot(
      optionsFor(element, { draw, bucketMs, tell, isZoomed: !!onZoom }),
      latest.current.data,
      element,
    )
    plot.current = made
    const watching = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    watching.observe(element)
    return () => {
      watching.disconnect()
      made.destroy()
    }
  }, [theme, draw, bucketMs, onZoom === undefined])
  useEffect(() => plot.current?.setData(data))
  return <div ref={box} className={onZoom ? 'plot zoomed' : 'plot'} role="img" aria-label={label} />
}

interface Drawing {
  readonly draw: SeriesPlotProps['draw']
  readonly bucketMs: number
  readonly isZoomed: boolean
  tell(from: number, until: number): void
}

const optionsFor = (element: HTMLElement, { draw, bucketMs, isZoomed, tell }: Drawing): uPlot.Options => {
  const colour = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  const bars = uPlot.paths.bars!({ size: [0.7, 24], radius: 0.2 })
  const drawn: readonly uPlot.Series[] =
    draw === 'bars'
      ? [
          { stroke: colour('--accent-line'), fill: colour('--accent-fill'), width: 0, paths: bars },
          { stroke: colour('--bad'), fill: colour('--bad'), width: 0, paths: bars },
        ]
      : [
          { stroke: colour('--accent-line'), width: 1.5, spanGaps: true },
          { stroke: colour('--warn'), width: 1.5, spanGaps: true },
        ]
  return {
    width: element.clientWidth || 600,
    height,
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: isZoomed, y: false, setScale: false },
      bind: {
        // A click on a point is a stretch of one.
        click: (self) => (event) => {
          if (isZoomed && self.select.width === 0) tell(...around(self.posToVal(event.offsetX, 'x'), bucketMs / 1000))
          return null
        },
      },
    },
    hooks: {
      setSelect: [
        (self) => {
          const { left, width } = self.select
          if (width < 4) return
          tell(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'))
          self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
    },
    scales: {
      x: { range: (_, min, max) => [min - bucketMs / 2000, max + bucketMs / 2000] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 80, size: 30, values: timesOf },
      {
        ...axis,
        size: 52,
        values: (_, splits) => splits.map((each) => (draw === 'bars' ? count(each) : `${count(each)} ms`)),
      },
    ],
    // One point alone makes no line.
    series: [{}, ...drawn.map((each) => ({ ...each, points: { show: draw === 'lines', size: 5 } }))],
  }
}

/** Bars stand over the moment at which their point begins. */
const around = (seconds: number, bucket: number): readonly [number, number] => {
  const first = Math.floor(seconds / bucket + 0.5) * bucket
  return [first, first + bucket]
}

const count = (value: number): string =>
  value >= 1_000_000 ? `${value / 1_000_000}M` : value >= 10_000 ? `${value / 1000}k` : String(value)

const two = (value: number): string => String(value).padStart(2, '0')

/** The hour, and where a day begins its date. */
const timesOf = (_: uPlot, splits: readonly number[]): string[] =>
  splits.map((seconds) => {
    const at = new Date(seconds * 1000)
    const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
    return isMidnight
      ? `${two(at.getMonth() + 1)}-${two(at.getDate())}`
      : `${two(at.getHours())}:${two(at.getMinutes())}`
  })
