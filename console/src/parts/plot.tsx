import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Minute } from '../../../src/faces/admin/calls.js'
import { useShownTheme } from '../theme.js'

/** Calls by the minute, failed ones in front. A picture of numbers that stand beside it as text. */
export const CallPlot = ({ minutes, label }: { readonly minutes: readonly Minute[]; readonly label: string }) => {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const latest = useRef(minutes)
  latest.current = minutes
  const theme = useShownTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    const element = box.current!
    const made = new uPlot(optionsFor(element), dataOf(latest.current), element)
    plot.current = made
    const watching = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: 180 }))
    watching.observe(element)
    return () => {
      watching.disconnect()
      made.destroy()
    }
  }, [theme])
  useEffect(() => plot.current?.setData(dataOf(minutes)), [minutes])
  return <div ref={box} className="plot" role="img" aria-label={label} />
}

const dataOf = (minutes: readonly Minute[]): uPlot.AlignedData => [
  minutes.map(({ at }) => at / 1000),
  minutes.map(({ calls }) => calls),
  minutes.map(({ errors }) => errors),
]

const optionsFor = (element: HTMLElement): uPlot.Options => {
  const colour = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim()
  const bars = uPlot.paths.bars!({ size: [0.7, 24], radius: 0.2 })
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  return {
    width: element.clientWidth || 600,
    height: 180,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    // Half a minute on either side, or the newest bar would be cut in two.
    scales: {
      x: { range: (_, min, max) => [min - 30, max + 30] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 30,
        values: [[60, '{HH}:{mm}', null, null, null, null, null, null, 1]],
      },
      {
        ...axis,
        size: 44,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
      },
    ],
    series: [
      {},
      {
        stroke: colour('--accent-line'),
        fill: colour('--accent-fill'),
        width: 0,
        paths: bars,
        points: { show: false },
      },
      { stroke: colour('--bad'), fill: colour('--bad'), width: 0, paths: bars, points: { show: false } },
    ],
  }
}
