import type { Evidence, WarningDetector } from '@linewarden/rules/warning'
import { contact, evidence, leakageDrift, phaseLoss } from '@linewarden/rules/warning'
import { expect, test } from 'vitest'
import type { FindingPlace } from './finding-draft.ts'
import { findingDraft } from './finding-draft.ts'

const place = { gateway: {}, line: null } as unknown as FindingPlace
const limitOf = (detector: WarningDetector, figures: Pick<Evidence, 'value' | 'limit'>) => {
  const finding = {
    key: detector.key,
    point: null,
    level: 'notice',
    evidence: evidence({ ...figures, unit: '', used: 1 }),
  } as const
  return findingDraft(detector, place, finding, { priority: 'low' }, 0).limit
}

test.each<[string, WarningDetector, number, number, number | null]>([
  ['a contact above the limit of its level', contact, 4.5, 4, 4],
  ['a leakage that will come to its limit', leakageDrift, 60, 150, null],
  ['a leakage that has come to it', leakageDrift, 150, 150, 150],
  ['a phase below the voltage that it should have', phaseLoss, 30, 46, 46],
])('beside an alarm stands the limit that was passed, and no other: %s', (_, detector, value, limit, shown) => {
  expect(limitOf(detector, { value, limit })).toBe(shown)
})
