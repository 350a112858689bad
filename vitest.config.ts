import type { TestProjectInlineConfiguration } from 'vitest/config'
import { defineConfig } from 'vitest/config'
import { factTimeoutMs } from './scripts/fact-timeout.ts'
import { leftFiles } from './scripts/long-run.ts'
import { LongestFirst } from './scripts/longest-first.ts'

export const usual = {
  include: [
    ...['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    ...['apps/console/build/**/*.test.ts', 'tests/stack/**/*.test.ts'],
  ],
  setupFiles: ['./scripts/fact-timeout-setup.ts', './scripts/long-run-setup.ts'],
  expect: { poll: { timeout: factTimeoutMs } },
  globalSetup: ['apps/server/src/store/core/test-postgres.ts'],
  // Laws are tried ten thousand times in the long run.
  testTimeout: process.env.TEST_LONG ? 900_000 : 120_000,
  hookTimeout: 120_000,
  pool: 'forks',
} satisfies TestProjectInlineConfiguration['test']

/** What Node runs by itself it loads by itself, as it does in the field; only what is made for a browser needs Vite. */
export const asItIs = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
} satisfies TestProjectInlineConfiguration['test']

/** Asks parts of the console that are made for a browser. */
export const byVite = ['scripts/texts.test.ts']

/** Who says what a whole page or process has been told, or how often, has one alone. None of them needs a database. */
const alone = ['apps/console/src/**/*.test.{ts,tsx}', 'apps/server/src/lib/{every,faults}.test.ts', ...byVite]

/** `npm test` leaves to the long run what that names; a file or an area that somebody asks for runs whole. */
const left = process.env.TEST_DAILY ? leftFiles.map((file) => `**/${file}`) : []

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A third of the time a whole house waits for real seconds: three side by side use two cores.
    maxWorkers: 3,
    projects: [
      { test: { ...usual, name: 'alone', include: alone, globalSetup: [] } },
      // The house is loaded once for all files of a worker: that takes longer than most of their tests.
      { test: { ...usual, ...asItIs, name: 'together', exclude: [...alone, ...left, '**/node_modules/**'], isolate: false } },
    ],
  },
})
