import { defineConfig } from 'vitest/config'

const slow = 'src/**/*.slow.test.ts'
// Set for `npm run test:system`: where the processes that tests start write what they ran. scripts/coverage.mjs reads it.
const processes = process.env.PROCESS_COVERAGE
const system = [
  'test/{console,cli,faults,fleet,crash,access,eras,attack,workers}/**/*.test.ts',
  'test/surface/dual-era.test.ts',
]

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: process.env.TEST_REPORT ?? 'coverage/tests.json' }]],
    // Words are tested in English wherever a developer sits; what is Chinese says so.
    env: { LC_ALL: 'C.UTF-8' },
    // Guards against what hangs, never a measure of speed: a busy machine with two cores must pass as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
    // A rejection nobody handles is a bug in the product, never noise.
    dangerouslyIgnoreUnhandledErrors: false,
    // Every test is in exactly one of these, by its place and name; test/repository/tests.test.ts keeps it so.
    projects: [
      {
        extends: true,
        test: {
          // The loop while writing: what stands beside the code, starts no process, needs no build and takes no second. One
          // world for all files, since most of the time of a small test goes into loading the product once more.
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/helpers/**/*.test.ts'],
          exclude: [slow],
          setupFiles: ['test/helpers/no-processes.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        // The rooms together: children, real disks, the built package.
        test: { name: 'slow', include: [slow, 'test/**/*.test.ts'], exclude: ['test/helpers/**', ...system] },
      },
      {
        extends: true,
        // Whole processes, browsers, crashes and the era matrix: what takes its time.
        test: { name: 'system', include: system, env: processes ? { NODE_V8_COVERAGE: processes } : {} },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      // A red run is looked at, too.
      reportOnFailure: true,
      reportsDirectory: processes ? 'coverage/system' : 'coverage',
      reporter: processes ? ['json'] : ['text-summary', 'json-summary', 'json'],
      // The floor only rises: raise it when the measured figure has. Both runs together have theirs in scripts/coverage-floors.mjs.
      thresholds: processes ? {} : { lines: 85 },
    },
  },
})
