import type { Group, Project } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { inTestBrowser } from '../../dev/test-browser.ts'
import { isNode, treeRows } from './tree-nodes.ts'

inTestBrowser()

const project = (HouseID: number, Name: string, Gateways: number, Lines: number, Devices: unknown[] = []) =>
  ({ HouseID, Name, Counts: { Gateways, Lines }, Devices }) as unknown as Project
const line = (LineID: number, LineName: string) => ({ LineID, LineName })

const groups = [
  { CityID: 1, Name: '东区', Houses: [project(3, '一期', 2, 3), project(4, '空地', 0, 0)] },
  { CityID: 2, Name: '西区', Houses: [] },
] as Group[]
const inside = project(3, '一期', 2, 3, [
  {
    DeviceID: 7,
    GatewayName: '1号柜',
    Devices: [
      { ControllerID: 'T1', Name: '断路器组', Family: 'breaker3p', Lines: [line(71, '照明'), line(72, '空调')] },
      { ControllerID: 'Y1', Name: '烟感', Family: 'smoke', Lines: [line(73, '烟感')] },
      { ControllerID: 'S1', Name: '备用', Family: 'breaker1p', Lines: [] },
    ],
  },
  { DeviceID: 8, GatewayName: '2号柜', Devices: [] },
])
const here = new Map([[3, inside]])
const none = new Map<number, Project>()

const rowsOf = (unfolded: readonly string[], loaded = none, failed: readonly number[] = []) =>
  treeRows(groups, loaded, new Set(failed), new Set(unfolded))
/** Each row: how deep it is, whether it is folded (+), unfolded (-) or has nothing below (·), and its name. */
const outline = (...given: Parameters<typeof rowsOf>) =>
  rowsOf(...given).map((row) => {
    const fold = row.open === null ? '·' : row.open ? '-' : '+'
    return `${'  '.repeat(row.depth)}${fold} ${isNode(row) ? row.name : row.kind}`
  })

test('what is folded shows nothing of what is in it, and what has nothing in it cannot be unfolded', () => {
  expect(outline([])).toEqual(['+ 东区', '· 西区'])
  expect(outline(['c1', 'c2', 'h4'], here)).toEqual(['- 东区', '  + 一期', '  · 空地', '· 西区'])
  // Unfolded before, in a group that is folded now.
  expect(outline(['h3'], here)).toEqual(['+ 东区', '· 西区'])
})

test('the inside of an unfolded project is under way until it is here, or could not be had', () => {
  const around = (row: string) => ['- 东区', '  - 一期', row, '  · 空地', '· 西区']
  expect(outline(['c1', 'h3'])).toEqual(around('    · loading'))
  expect(outline(['c1', 'h3'], none, [3])).toEqual(around('    · failed'))
  expect(outline(['c1', 'h3'], none, [4])).toEqual(around('    · loading'))
  // It stands in the same place, and means the project.
  const [loading, failed] = [rowsOf(['c1', 'h3'])[2], rowsOf(['c1', 'h3'], none, [3])[2]]
  expect(failed).toEqual({ ...loading, kind: 'failed' })
  expect(failed?.selection).toEqual({ kind: 'house', id: 3 })
  // What is here stays when it cannot be fetched anew.
  expect(outline(['c1', 'h3'], here, [3])).toEqual(outline(['c1', 'h3'], here))
})

test('gateways, devices and lines follow one another; a detector is its own only line', () => {
  const all = ['c1', 'h3', 'g7', 'g8', 'dT1', 'dY1', 'dS1']
  expect(outline(all, here)).toEqual([
    '- 东区',
    '  - 一期',
    '    - 1号柜',
    '      - 断路器组',
    '        · 照明',
    '        · 空调',
    '      · 烟感',
    '      · 备用',
    '    · 2号柜',
    '  · 空地',
    '· 西区',
  ])
  const rows = rowsOf(all, here)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  expect(rows.map(({ lines }) => lines)).toEqual([3, 3, 3, 2, null, null, null, 0, 0, 0, 0])
  expect(rows.flatMap(({ name, dot }) => (dot ? [[name, dot.lineId, dot.controllerId]] : []))).toEqual([
    ['照明', 71, 'T1'],
    ['空调', 72, 'T1'],
    ['烟感', 73, 'Y1'],
  ])
  expect(rows.slice(2, 5).map(({ selection }) => selection)).toEqual([
    { kind: 'gateway', house: 3, id: 7 },
    { kind: 'device', house: 3, id: 'T1' },
    { kind: 'line', house: 3, id: 71 },
  ])
})
