import type { TFunction } from 'i18next'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { app } from '../../app/texts.ts'
import { monitor } from '../../areas/monitor/texts.ts'
import { nothingAbnormal } from './abnormal.ts'
import type { NodeState } from './tree-label.ts'
import { isLastKnown, labelOf } from './tree-label.ts'
import type { TreeRow } from './tree-nodes.ts'

let t: TFunction<['monitor', 'app']>
beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { monitor: monitor.en, app: app.en } } })
  t = i18next.getFixedT(null, ['monitor', 'app'])
})

const nothing = nothingAbnormal()
const line: TreeRow = {
  key: 'l7',
  name: 'Pump',
  depth: 4,
  selection: { kind: 'line', house: 1, id: 7 },
  open: null,
  lines: null,
  kind: 'line',
  dot: { lineId: 7, controllerId: 'C3', family: 'breaker1p' },
}
const gateway: TreeRow = {
  key: 'g3',
  name: 'Hall',
  depth: 2,
  selection: { kind: 'gateway', house: 1, id: 3 },
  open: false,
  lines: 4,
  kind: 'gateway',
}
const device: TreeRow = {
  ...gateway,
  key: 'dC3',
  name: 'Board',
  selection: { kind: 'device', house: 1, id: 'C3' },
  kind: 'device',
}
const house: TreeRow = { ...gateway, key: 'h1', name: 'Plant', selection: { kind: 'house', id: 1 }, kind: 'house' }

const live: NodeState = { condition: 'closed', link: 'online', abnormal: undefined, connected: true, old: false }
const ofGateway: NodeState = { ...live, condition: undefined }
const ofHouse: NodeState = { ...ofGateway, link: undefined }

test.each<[string, TreeRow, NodeState, string]>([
  ['a closed line of a gateway that speaks', line, live, 'Pump, Closed'],
  ['a line of a silent gateway: the last known', line, { ...live, link: 'stale' }, 'Pump, Closed, last known values'],
  ['a line of an offline gateway: it says so itself', line, { ...live, condition: 'offline', link: 'offline' }, 'Pump, Offline'],
  ['a line whose values are old behind a gateway that is there', line, { ...live, old: true }, 'Pump, Closed, last known values'],
  ['a line while the server is away', line, { ...live, connected: false }, 'Pump, Closed, last known values'],
  ['a silent gateway', gateway, { ...ofGateway, link: 'stale', abnormal: { ...nothing, away: 1 } }, 'Hall, No data, 4 lines'],
  ['an offline gateway', gateway, { ...ofGateway, link: 'offline', abnormal: { ...nothing, away: 1 } }, 'Hall, Offline, 4 lines'],
  ['a dead device', device, { ...ofGateway, link: 'offline', abnormal: { ...nothing, away: 1 } }, 'Board, Offline, 4 lines'],
  [
    'a gateway that speaks with a dead device behind it',
    gateway,
    { ...ofGateway, abnormal: { ...nothing, away: 1 } },
    'Hall, 1 offline, 4 lines',
  ],
  ['a tagged line, wherever the tag hangs', line, { ...live, abnormal: { ...nothing, tagged: 1 } }, 'Pump, Closed, Tagged 1'],
  ['a project', house, { ...ofHouse, abnormal: { ...nothing, alarm: 2 } }, 'Plant, 2 in alarm, 4 lines'],
  [
    'a project while the server is away',
    house,
    { ...ofHouse, abnormal: { ...nothing, alarm: 2 }, connected: false },
    'Plant, 2 in alarm, last known values, 4 lines',
  ],
])('%s', (_, row, state, label) => {
  expect(labelOf(row, state, t)).toBe(label)
})

test.each([
  ['loading', 'Loading …'],
  ['failed', 'Could not be loaded, try again'],
] as const)('what stands for the inside of a project that is %s is no last known value', (kind, label) => {
  const row: TreeRow = { ...house, key: 'h1…', kind }
  expect(labelOf(row, { ...ofHouse, connected: false }, t)).toBe(label)
  expect(isLastKnown(row, { ...ofHouse, connected: false })).toBe(false)
})
