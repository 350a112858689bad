import { defineConfig } from 'vitest/config'
import { asItIs, usual } from '../vitest.config.ts'

/** The decisions alone, without a database: seconds, for while one works. */
export default defineConfig({
  test: {
    ...usual,
    ...asItIs,
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: [],
    isolate: false,
    maxWorkers: 2,
  },
})
