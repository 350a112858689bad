import { defineConfig } from 'vitest/config'
import { usual } from '../../vitest.config.ts'
import { LongestFirst } from '../longest-first.ts'

/** The usual tests, each of which notes what it reaches when it is told where to: so each file loads the house for itself. */
export default defineConfig({
  test: {
    ...usual,
    setupFiles: ['./scripts/fact-timeout-setup.ts', './scripts/mutation/note-reach.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    fsModuleCache: true,
  },
})
