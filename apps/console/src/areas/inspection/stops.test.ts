import { expect, test } from 'vitest'
import type { ChosenStop } from './stops.ts'
import { listsOf, moved, placeStop, stopAsked, withoutStops, withStops } from './stops.ts'

const gateway: ChosenStop = { kind: 'gateway', id: '7', name: '1# 柜', gateway: '', list: 'gateway', gone: false }
const device: ChosenStop = { kind: 'device', id: 'A1', name: '照明', gateway: '1# 柜', list: 'breaker1p', gone: false }
const place = placeStop('2# 配电间')

test('what is ticked comes to the end of the route, once; what is unticked leaves it', () => {
  expect(withStops([place], [gateway, place, device])).toEqual([place, gateway, device])
  expect(withoutStops([place, gateway, device], [gateway])).toEqual([place, device])
})

test('a stop is moved by one place, and not beyond the ends', () => {
  expect(moved([place, gateway, device], 1, -1)).toEqual([gateway, place, device])
  expect(moved([place, gateway], 0, -1)).toEqual([place, gateway])
  expect(moved([place, gateway], 1, 1)).toEqual([place, gateway])
})

test('each stop is asked for by what it is', () => {
  expect([gateway, device, place].map(stopAsked)).toEqual([{ DeviceID: 7 }, { ControllerID: 'A1' }, { Place: '2# 配电间' }])
  expect(listsOf([gateway, device, place, device])).toEqual(['gateway', 'breaker1p', 'place'])
})
