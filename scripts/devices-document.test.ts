import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { devicesDocument } from './devices-document.ts'

test('docs/devices.md says what the families say; npm run docs:devices writes it anew', () => {
  expect(readFileSync(new URL('../docs/devices.md', import.meta.url), 'utf8')).toBe(devicesDocument())
})
