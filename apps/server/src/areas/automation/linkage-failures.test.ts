import { expect, test } from 'vitest'
import { LinkageFailures } from './linkage-failures.ts'

/** By second: `x` it fails, `.` it goes well. Answers at which it began anew. */
function anew(...course: readonly (readonly [second: number, is: 'x' | '.'])[]): number[] {
  const failures = new LinkageFailures()
  return course.flatMap(([second, is]) => {
    if (is === 'x') return failures.failed(second * 1_000) ? second : []
    failures.wentWell()
    return []
  })
}

test('what goes on failing begins anew once', () => {
  expect(anew([0, 'x'], [1, 'x'], [100, 'x'], [10_000, 'x'])).toEqual([0])
})

test('what has gone well begins anew when it fails again, and no more than once a minute', () => {
  expect(anew([0, 'x'], [1, '.'], [30, 'x'], [31, '.'], [60, 'x'], [61, '.'], [90, 'x'], [200, 'x'])).toEqual([0, 60])
})

test('a clock that was set back keeps nothing from beginning anew', () => {
  expect(anew([10_000, 'x'], [10_001, '.'], [0, 'x'])).toEqual([10_000, 0])
})
