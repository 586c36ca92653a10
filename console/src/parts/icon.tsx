/** Drawn on a grid of 16, one stroke wide; decoration only, so screen readers never hear of them. */
const paths = {
  sources: 'M5.5 1.8v3M10.5 1.8v3M3.8 4.8h8.4v2.7a4.2 4.2 0 0 1-8.4 0zM8 11.7v2.7',
  tools: 'M9.8 6.2l3.6-3.6M13.9 5.2a3.7 3.7 0 0 1-5 4.3l-4.5 4.6a1.7 1.7 0 0 1-2.4-2.4l4.6-4.6a3.7 3.7 0 0 1 4.3-4.9',
  search: 'M7 11.8a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6zM10.6 10.6l3.4 3.4',
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
/** One of these, or a drawing of its own. */
export type Drawing = IconName | `M${string}`

export const Icon = ({ name, size = 16 }: { readonly name: Drawing; readonly size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name as IconName] ?? name} />
  </svg>
)
