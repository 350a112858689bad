import { expect, test } from 'vitest'
import { stubBrowser } from '../../dev/test-browser.ts'

stubBrowser()
const { descriptionOf, placeChosen, targetOf } = await import('./order-target.ts')

test('a place is a project, a gateway of it or a line', () => {
  expect(targetOf('')).toEqual({})
  expect(targetOf('7')).toEqual({ DeviceID: 7 })
  expect(targetOf('7/A-T1/3')).toEqual({ DeviceID: 7, ControllerID: 'A-T1', LineNo: 3 })
})

test('what the tree has selected is where the order is to be', () => {
  expect(placeChosen({ kind: 'all' })).toEqual({ house: '', place: '' })
  expect(placeChosen({ kind: 'house', id: 3 })).toEqual({ house: '3', place: '' })
  expect(placeChosen({ kind: 'gateway', house: 3, id: 7 })).toEqual({ house: '3', place: '7' })
  expect(placeChosen({ kind: 'line', house: 3, id: 9 })).toEqual({ house: '3', place: '' })
})

test('an order begins with what its alarm says', () => {
  const event = {
    ...{ Label: { zh: '过流报警', en: 'Overcurrent' }, Value: 21.44, Limit: 15, Unit: 'mA', LastRaisedAt: 0 },
    Where: { HouseName: '一厂', GatewayName: '柜', LineName: '照明' },
  }
  expect(descriptionOf(event)).toMatch(/^过流报警 · 一厂 › 柜 › 照明 · 21\.4 \/ 15\.0 mA · /)
  expect(descriptionOf({ ...event, Value: null })).not.toMatch(/mA/)
})
