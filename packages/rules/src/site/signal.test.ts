import { expect, test } from 'vitest'
import { signalLevel } from './signal.ts'

test.each([
  ['4G', -75, 4],
  ['4G', -76, 3],
  ['4G', -85, 3],
  ['4G', -95, 2],
  ['4G', -96, 1],
  ['WiFi', -76, 2],
  ['WiFi', -81, 1],
  ['NB', -96, 2],
  ['NB', -85, 4],
  ['Ethernet', -75, 4],
] as const)('%s at %s dBm is level %s', (radio, dbm, level) => {
  expect(signalLevel(radio, dbm)).toBe(level)
})
