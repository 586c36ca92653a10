/** Drawn on a grid of 16, one stroke wide; decoration only, so screen readers never hear of them. */
const paths = {
  overview: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  sources: 'M5.5 1.8v3M10.5 1.8v3M3.8 4.8h8.4v2.7a4.2 4.2 0 0 1-8.4 0zM8 11.7v2.7',
  tools: 'M9.8 6.2l3.6-3.6M13.9 5.2a3.7 3.7 0 0 1-5 4.3l-4.5 4.6a1.7 1.7 0 0 1-2.4-2.4l4.6-4.6a3.7 3.7 0 0 1 4.3-4.9',
  search: 'M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.6 10.6l3.4 3.4',
  profiles: 'M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.8 14c.5-3 2.5-4.4 5.2-4.4s4.700 1.400 5.2 4.4',
  calls: 'M1.8 8h2.9l2-5 2.7 10 2-5h2.8',
  approvals: 'M8 1.8l5 2v3.9c0 3-2 5.300-5 6.500-3-1.200-5-3.500-5-6.500V3.8zM5.700 8l1.700 1.700 3-3.200',
  xiaozhi:
    'M8 1.800a2.200 2.200 0 0 1 2.200 2.200v3.600a2.200 2.200 0 0 1-4.400 0V4A2.200 2.200 0 0 1 8 1.800zM3.600 7.300a4.400 4.400 0 0 0 8.800 0M8 11.700v2.500',
  keys: 'M10.300 9.300a3.600 3.600 0 1 0-3.500-2.800L2 11.300V14h2.700v-1.700h1.700v-1.600L7.700 9.400c.8.300 1.700.2 2.600-.1zM11 5h.01',
  settings: 'M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M10 2.800v3.400M6 9.800v3.400',
  import: 'M8 2v7.500M4.800 6.500L8 9.700l3.200-3.200M2.500 11v2.500h11V11',
  menu: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  close: 'M3.500 3.500l9 9M12.500 3.500l-9 9',
  plus: 'M8 3v10M3 8h10',
  play: 'M4.500 2.800l8 5.200-8 5.200z',
  copy: 'M5.500 5.500v-3h8v8h-3M2.500 5.500h8v8h-8z',
  back: 'M9.500 3l-5 5 5 5',
  warn: 'M8 2l6.300 11.500H1.700zM8 6.500v3.200M8 11.600h.01',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
