import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: process.env.TEST_REPORT ?? 'coverage/tests.json' }]],
    // Words are tested in English wherever a developer sits; what is Chinese says so.
    env: { LC_ALL: 'C.UTF-8' },
    // Guards against what hangs, never a measure of speed: a busy machine with two cores must pass as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
    // A rejection nobody handles is a bug in the product, never noise.
    dangerouslyIgnoreUnhandledErrors: false,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text-summary', 'json-summary'],
      // The floor only rises: raise it when the measured figure has.
      thresholds: { lines: 85 },
    },
  },
})
