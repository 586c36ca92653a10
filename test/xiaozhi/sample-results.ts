/** What tools really answer, in every size: lists of things, records, logs, articles, Chinese, emoji, images. */
export interface SampleResult {
  readonly kind: string
  readonly result: unknown
  /** UTF-8 bytes of the whole. */
  readonly size: number
  /** What must come first. */
  readonly starts?: string
}

const sizes = [1, 10, 100, 500, 1000, 1024, 1025, 2000, 10_000, 100_000, 500_000, 1_000_000, 5_000_000]
const largest = sizes.slice(7)

const text = (kind: string, result: string, starts?: string): SampleResult => ({
  kind,
  result,
  size: Buffer.byteLength(result),
  ...(starts === undefined ? {} : { starts }),
})
const json = (kind: string, value: unknown, starts?: string): SampleResult => ({
  ...text(kind, JSON.stringify(value), starts),
  result: value,
})
const repeated = (unit: string, bytes: number): string =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))).slice(0, bytes)

/** A hundred of them. */
export const sampleResults = (): readonly SampleResult[] => [
  ...sizes.map((size) =>
    text('words', repeated('The quick brown fox, 12345.67 times. ', size), repeated('The quick', Math.min(size, 9))),
  ),
  ...sizes.map((size) => text('one word', 'A'.repeat(size), 'A')),
  ...sizes.map((size) => text('chinese', repeated('今天北京天气晴朗，最高气温二十五度。', size / 3 + 1), '今')),
  ...largest.map((size) => text('emoji', '👨‍👩‍👧‍👦 '.repeat(size / 26), '👨‍👩‍👧‍👦')),
  ...largest.map((size) => json('json list', search(size), '[{"title":"Result number 0"')),
  ...largest.map((size) => json('json record', weather(size), '{"city":"Beijing"')),
  ...largest.map((size) => text('json text', JSON.stringify(search(size), null, 2), '[{"title":"Result number 0"')),
  ...largest.map((size) => json('json many fields', states(size), '{"sensor.0"')),
  ...largest.map((size) => json('json deep', nested(size))),
  ...largest.map((size) =>
    blocks(
      'json blocks',
      search(size).map((each) => ({ type: 'text', text: JSON.stringify(each) })),
    ),
  ),
  ...largest.map((size) => text('escapes', '"\\\n\t\u0001'.repeat(size / 5), '"\\')),
  ...largest.map((size) =>
    blocks(
      'image',
      [
        { type: 'text', text: 'a cat' },
        { type: 'image', data: 'A'.repeat(size), mimeType: 'image/png' },
      ],
      'a cat',
    ),
  ),
  ...largest.map((size) =>
    text(
      'log',
      Array.from(
        { length: size / 60 },
        (_, line) => `2026-11-15T10:00:${line % 60} [info] line ${line} of the log`,
      ).join('\n'),
      '2026-11-15',
    ),
  ),
  json('json list', [1], '[1]'),
]

const blocks = (kind: string, content: readonly object[], starts?: string): SampleResult => ({
  kind,
  result: { content },
  size: Buffer.byteLength(JSON.stringify(content)),
  ...(starts === undefined ? {} : { starts }),
})

const search = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 200) }, (_, rank) => ({
    title: `Result number ${rank}`,
    score: 1 / (rank + 1),
    snippet: 'Some words around the hit, enough to know what it is about and whether to read on. '.repeat(
      1 + (rank % 2),
    ),
  }))

const weather = (bytes: number) => ({
  city: 'Beijing',
  now: { temperature: 25, sky: 'clear' },
  hours: Array.from({ length: Math.ceil(bytes / 60) }, (_, hour) => ({ hour, temperature: 20 + (hour % 10), rain: 0 })),
  source: 'weather.example',
})

const states = (bytes: number) =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(bytes / 40) }, (_, index) => [`sensor.${index}`, { state: 'on', since: index }]),
  )

const nested = (bytes: number) => {
  let inner: unknown = { text: 'deep words '.repeat(bytes / 11) }
  for (let level = 0; level < 20; level++) inner = { level, inner }
  return inner
}
