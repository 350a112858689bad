import { expect, test } from 'vitest'
import { detectors } from '../warning/catalogue.ts'
import { canBeFolded, foldableKeys, neutralKey } from './fold-keys.ts'
import { dangerKeys } from './shelving.ts'

test('what early warning calls its findings is what folding knows them by', () => {
  const keys = new Set(detectors.map(({ key }) => key))
  for (const key of [neutralKey, 'offline', 'link.unstable', 'phaseLoss', 'voltage.range', 'unbalance'])
    expect(keys).toContain(key)
})

test('what can be folded is what is looked for, and no danger', () => {
  for (const key of foldableKeys) expect([key, canBeFolded(key), dangerKeys().has(key)]).toEqual([key, true, false])
})
