import { describe, expect, test } from 'vitest'
import { families } from './catalogue.ts'
import { canBePushed, metricOfPushed } from './push.ts'

const pushed = families.filter(canBePushed)

test('detectors can be pushed, what has lines cannot', () => {
  expect(pushed.map(({ key }) => key)).toEqual(expect.arrayContaining(['nt8141', 'waterImmersion', 'gas', 'smoke']))
  expect(pushed.map(({ key }) => key)).not.toContain('breaker3p')
})

describe.each(pushed.map((family) => [family.key, family] as const))('%s', (_, family) => {
  test('every point, state and setting has an identifier without dots, and no two share one', () => {
    const keys = [...family.points, ...family.states].map(({ key }) => key)
    for (const key of keys) {
      expect(metricOfPushed(family, key.replaceAll('.', '_'))).toBe(key)
      expect(metricOfPushed(family, key.replaceAll('.', '_').toUpperCase())).toBe(key)
    }
    for (const { key } of family.settings)
      expect(metricOfPushed(family, `settings_${key.replaceAll('.', '_')}`)).toBe(`settings/${key}`)
  })

  test('what it does not report has none', () => {
    expect(metricOfPushed(family, 'cell_id')).toBeNull()
    expect(metricOfPushed(family, '__proto__')).toBeNull()
  })
})
