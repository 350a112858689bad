import { defineConfig } from 'vitest/config'
import { asItIs, byVite, usual } from '../vitest.config.ts'

const include = ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'apps/console/build/**/*.test.ts']
const pure = { ...usual, globalSetup: [], isolate: false }

/** The decisions alone, without a database: seconds, for while one works. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...pure, name: 'by Vite', include: byVite } },
      { test: { ...pure, ...asItIs, name: 'pure', include, exclude: [...byVite, '**/node_modules/**'] } },
    ],
  },
})
