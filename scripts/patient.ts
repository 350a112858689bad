import { vi } from 'vitest'
import { patienceMs } from './patience.ts'

// Vitest has a setting for `expect.poll` alone.
const patient = <Options extends object>(given: Options | number | undefined) =>
  typeof given === 'number' ? given : { timeout: patienceMs, ...given }
const { waitFor, waitUntil } = vi
vi.waitFor = (fact, options) => waitFor(fact, patient(options))
vi.waitUntil = (fact, options) => waitUntil(fact, patient(options))
