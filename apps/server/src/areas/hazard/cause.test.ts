import { alarmCauses, causeOf } from '@linewarden/rules/hazard'
import { expect, test } from 'vitest'
import { alarmCatalogue } from '../alarm/alarm-catalogue.ts'

test('every alarm that can be raised points to a cause, and no cause has more alarms than a list can be asked for', () => {
  const keys = [...alarmCatalogue().keys()]
  expect(keys.filter((key) => causeOf(key) === 'other')).toEqual([])
  for (const cause of alarmCauses) expect(keys.filter((key) => causeOf(key) === cause).length).toBeLessThanOrEqual(50)
})
