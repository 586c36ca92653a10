/** What a check found. Whatever is not in order says what to do next. */
export type Diagnosis =
  | { readonly area: Area; readonly state: 'ok' | 'off'; readonly message: string }
  | { readonly area: Area; readonly state: 'warn' | 'fail'; readonly message: string; readonly fix: string }

export const areas = [
  'node',
  'config',
  'port',
  'tls',
  'identity',
  'storage',
  'fleet',
  'clock',
  'proxy',
  'source',
  'children',
  'tools',
  'recall',
  'client',
] as const
export type Area = (typeof areas)[number]

export const ok = (area: Area, message: string): Diagnosis => ({ area, state: 'ok', message })
export const off = (area: Area, message: string): Diagnosis => ({ area, state: 'off', message })
export const warn = (area: Area, message: string, fix: string): Diagnosis => ({ area, state: 'warn', message, fix })
export const fail = (area: Area, message: string, fix: string): Diagnosis => ({ area, state: 'fail', message, fix })
