import { expect, test } from 'vitest'
import { sceneFilter } from './filters.ts'

const of = (values: Readonly<Record<string, string>>, text = '') => sceneFilter({ filter: (name) => values[name] ?? '' }, text)

test.each([
  [{}, {}],
  [{ house: '3' }, { HouseID: 3 }],
  [{ house: 'x' }, {}],
  [{ house: '0' }, {}],
  [
    { device: 'A-T1', no: '4' },
    { ControllerID: 'A-T1', LineNo: 4 },
  ],
  [{ device: 'A-T1' }, { ControllerID: 'A-T1' }],
  [{ no: '4' }, {}],
  [{ device: 'A-T1', no: '-4' }, { ControllerID: 'A-T1' }],
  [
    { off: 'yes', orphan: 'yes' },
    { Enabled: false, Orphan: true },
  ],
  [{ off: 'no' }, {}],
])('%o asks for %o', (values, filter) => expect(of(values)).toEqual(filter))

test('what was typed is trimmed, and no longer than the call takes it', () =>
  expect(of({}, `  ${'a'.repeat(80)}`)).toEqual({ Name: 'a'.repeat(64) }))
