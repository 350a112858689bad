import { defineConfig } from 'vitest/config'
import usual from '../../vitest.config.ts'

/** The usual tests, each of which notes what it reaches when it is told where to. */
export default defineConfig({
  test: {
    ...usual.test,
    setupFiles: ['./scripts/patient.ts', './scripts/mutation/note-reach.ts'],
    fsModuleCache: true,
  },
})
