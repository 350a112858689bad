import type { Group, Project } from '@linewarden/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Selection } from './equipment.ts'
import { chosenLines, isCalled, isThere, linesOfProject, readSelection, selectionText } from './equipment.ts'

const id = fc.integer({ min: 1, max: 999_999_999 })
const selections: fc.Arbitrary<Selection> = fc.oneof(
  fc.constant<Selection>({ kind: 'all' }),
  fc.record({ kind: fc.constantFrom('group' as const, 'house' as const), id }),
  fc.record({ kind: fc.constantFrom('gateway' as const, 'line' as const), house: id, id }),
  fc.record({ kind: fc.constant('device' as const), house: id, id: fc.string({ minLength: 1 }) }),
)

test('a selection comes back from the address as it was', () => {
  fc.assert(
    fc.property(selections, (selection) => {
      expect(readSelection(selectionText(selection))).toEqual(selection)
    }),
  )
})

test.each([null, '', 'all', 'house', 'house:', 'house:x', 'house:-1', 'line:3', 'line:3:x', 'device:3:', 'toString:1'])(
  '%j means everything',
  (text) => expect(readSelection(text)).toEqual({ kind: 'all' }),
)

test('what was taken out is not there; what has nothing behind it yet is', () => {
  const project = { HouseID: 3, Devices: [{ DeviceID: 7, Devices: [] }] } as unknown as Project
  const groups = [{ CityID: 1, Houses: [project] }] as unknown as Group[]
  const there = (text: string) => isThere(readSelection(text), groups, [project])
  expect(['', 'group:1', 'house:3', 'gateway:3:7'].map(there)).toEqual([true, true, true, true])
  expect(['group:2', 'house:4', 'gateway:3:8', 'gateway:4:9', 'device:3:X', 'line:3:1'].map(there)).toEqual(Array(6).fill(false))
})

const gateway = (DeviceID: number, GatewayName: string, number: string, LineName: string) => ({
  DeviceID,
  GatewayName,
  Number: number,
  Devices: [{ ControllerID: `C${DeviceID}`, Family: 'breaker1p', Lines: [{ LineID: DeviceID * 10, LineName }] }],
})
const plant = linesOfProject({
  HouseID: 3,
  Devices: [gateway(7, '1号柜 North', 'WH01-G7', '照明 A'), gateway(8, '2号柜', 'WH01-G8', '空调')],
} as unknown as Project)
const found = (lines: typeof plant) => lines.map(({ line }) => line.LineID)

test.each([
  ['照明', [70]],
  [' 照明 a ', [70]],
  ['NORTH', [70]],
  ['2号', [80]],
  ['g8', [80]],
  ['wh01', [70, 80]],
  ['', [70, 80]],
  ['水泵', []],
])("a search for %j finds a line by its own name, its gateway's name or number, however it is written", (search, ids) => {
  expect(found(plant.filter(isCalled(search)))).toEqual(ids)
})

test('of a selection only its own lines are searched', () => {
  expect(found([...chosenLines(plant, readSelection('gateway:3:7'), 'wh01')])).toEqual([70])
  expect(found([...chosenLines(plant, readSelection('gateway:3:7'), '空调')])).toEqual([])
})

test('all lines are the very same list, so that nothing is drawn anew', () => {
  for (const text of ['', 'group:1', 'house:3']) expect(chosenLines(plant, readSelection(text), ' ')).toBe(plant)
})
