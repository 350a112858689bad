import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
import { patienceMs } from './scripts/patience.ts'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/stack/**/*.test.ts'],
    setupFiles: ['./scripts/patient.ts'],
    expect: { poll: { timeout: patienceMs } },
    globalSetup: ['apps/server/src/store/core/test-postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
  },
})
