import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faultsDocument } from './faults-document.ts'

test('docs/faults.md says what the simulator can do; npm run docs:devices writes it anew', () => {
  expect(readFileSync(new URL('../docs/faults.md', import.meta.url), 'utf8')).toBe(faultsDocument())
})
