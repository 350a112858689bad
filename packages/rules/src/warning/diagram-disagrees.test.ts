import { expect, test } from 'vitest'
import { defaultParams } from './detector.ts'
import { diagramDisagrees, foldDiagram, newDiagramState } from './diagram-disagrees.ts'

const params = defaultParams(diagramDisagrees)
/** What is found every ten seconds: true, a voltage that was just measured disagrees; a number, one received then does; false, none. */
function course(found: readonly (boolean | number)[], active = false): readonly (string | null)[] {
  const state = newDiagramState(active)
  return found.map((each, nth) => {
    const at = nth * 10_000
    const measuredAt = each === true ? at : each === false ? null : each
    return foldDiagram(params, state, { at, measuredAt, volts: 229, limitV: 110 })?.kind ?? null
  })
}

test('a voltage where the drawing has none is a finding after sixty seconds, once', () => {
  const kinds = course(Array.from({ length: 9 }, () => true))
  expect(kinds).toEqual([null, null, null, null, null, null, 'raised', null, null])
})

test('a value of before the switch opened is no proof, however long nothing newer comes', () => {
  expect(course(Array.from({ length: 20 }, () => 0)).every((kind) => kind === null)).toBe(true)
})

test('a moment in which it agrees begins anew; it returns after sixty seconds in which it agrees', () => {
  expect(course([true, true, true, true, true, true, false, true, true]).every((kind) => kind === null)).toBe(true)
  const back = course([true, false, true, ...Array.from({ length: 7 }, () => false)], true)
  expect(back).toEqual([null, null, null, null, null, null, null, null, null, 'returned'])
})

test('what was found before a restart stays found, and is not raised twice', () => {
  expect(
    course(
      Array.from({ length: 9 }, () => true),
      true,
    ).every((kind) => kind === null),
  ).toBe(true)
})
