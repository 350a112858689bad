import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { patienceMs } from './scripts/patience.ts'

const everything = ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/stack/**/*.test.ts']

/** Who says what the whole page or process has been told, or how often, has it alone. */
const alone = ['apps/console/src/**/*.test.{ts,tsx}', 'apps/server/src/lib/{every,faults}.test.ts']

export default defineConfig({
  test: {
    setupFiles: ['./scripts/patient.ts'],
    expect: { poll: { timeout: patienceMs } },
    globalSetup: ['apps/server/src/store/core/test-postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // The house is loaded once for all files of a worker: that takes longer than most of their tests.
      { extends: true, test: { name: 'together', include: everything, exclude: [...alone, '**/node_modules/**'], isolate: false } },
    ],
  },
})
