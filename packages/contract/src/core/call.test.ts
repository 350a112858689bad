import { expect, test } from 'vitest'
import { operateLine } from '../areas/control/control.ts'
import { tree } from '../areas/site/site.ts'
import { pathOf } from './call.ts'

test('the path of a call has its parameters filled in', () => {
  expect(pathOf(operateLine, { ControllerID: 'D-1', LineNo: 2, attr: 'trip' })).toBe('/api/v1/lines/D-1/2/trip')
  expect(pathOf(tree)).toBe('/api/v1/tree')
})

test('a parameter cannot leave its place in the path', () => {
  expect(pathOf(operateLine, { ControllerID: '../a?b#c/总闸', LineNo: 2, attr: 'trip' })).toBe(
    '/api/v1/lines/..%2Fa%3Fb%23c%2F%E6%80%BB%E9%97%B8/2/trip',
  )
})

test('line 0 is a line number like any other', () => {
  expect(pathOf(operateLine, { ControllerID: 'D', LineNo: 0, attr: 'trip' })).toBe('/api/v1/lines/D/0/trip')
})

test.each([[{}], [{ ControllerID: '', LineNo: 1 }], [{ ControllerID: null, LineNo: 1 }]])(
  'a missing parameter is a mistake in the program: %j',
  (params) => {
    expect(() => pathOf(operateLine, params)).toThrow('operateLine: parameter ControllerID is missing')
  },
)
