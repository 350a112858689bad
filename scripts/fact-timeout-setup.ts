import { vi } from 'vitest'
import { factTimeoutMs } from './fact-timeout.ts'

// Vitest has a setting for `expect.poll` alone.
const withTimeout = <Options extends object>(given: Options | number | undefined) =>
  typeof given === 'number' ? given : { timeout: factTimeoutMs, ...given }
const { waitFor, waitUntil } = vi
vi.waitFor = (fact, options) => waitFor(fact, withTimeout(options))
vi.waitUntil = (fact, options) => waitUntil(fact, withTimeout(options))
