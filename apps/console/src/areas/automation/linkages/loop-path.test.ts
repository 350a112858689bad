import { expect, test } from 'vitest'
import { loopBoxes } from './loop-path.ts'

const path = {
  zh: '联动「A」 → 线路「3#」 → 联动「B」 → 线路「1#」 → 联动「A」',
  en: 'linkage “A” → line “3#” → linkage “B” → line “1#” → linkage “A”',
}

test.each(['zh', 'en'] as const)('the boxes of a loop in %s, from its close on', (language) => {
  expect(loopBoxes(path, language)).toEqual([
    { kind: 'linkage', name: 'A', effect: 'close' },
    { kind: 'line', name: '3#', effect: null },
    { kind: 'linkage', name: 'B', effect: null },
    { kind: 'line', name: '1#', effect: null },
  ])
})

test('other words are no ring', () => expect(loopBoxes({ zh: '环', en: 'loop' }, 'zh')).toEqual([]))
