import { expect, test } from 'vitest'
import { foldIncidents } from './fold-incidents.ts'
import type { FoldEvent, FoldTopology, Incident } from './incident.ts'
import { platformSettledAt } from './platform-away.ts'

// The platform was away for ten minutes. Gateways report every 10 s, so that what is silent since is noticed from 30 s after the return.
const secondMs = 1_000
const backAt = 1_000_000
const platform: Incident = {
  ...{ kind: 'platform', projectId: 1, gatewayId: null, lineId: null, rootId: null },
  ...{ openedAt: backAt - 600 * secondMs, raisedAt: backAt, endedAt: null },
}
const topology: FoldTopology = {
  ...{ below: new Map(), linesOfDevice: new Map(), linesOfGateway: new Map(), gatewaysOf: new Map([[1, 3]]) },
  periodOf: new Map([1, 2, 3].map((gateway) => [gateway, 10 * secondMs])),
  maxPeriodMsOf: new Map([[1, 10 * secondMs]]),
}
const silent: FoldEvent = {
  ...{ id: '1', key: 'gateway.offline', projectId: 1, gatewayId: 1, deviceId: null, lineId: null },
  ...{ at: backAt + 31 * secondMs, returnedAt: null, parent: null, apart: false },
}
const fold = (event: Partial<FoldEvent>, incident: Partial<Incident> = {}, now = backAt + 31 * secondMs) =>
  foldIncidents({ incidents: [{ ...platform, ...incident }], events: [] }, [{ ...silent, ...event }], topology, now)
const parentOf = (...of: Parameters<typeof fold>) => fold(...of).parents.get('1')

test.each<[what: string, event: Partial<FoldEvent>, parent: string | null]>([
  ['a gateway that has not come back', {}, 'platform 1'],
  [
    'a device that has not come back with its gateway',
    { key: 'device.stale', deviceId: 7, at: backAt + 40 * secondMs },
    'platform 1',
  ],
  ['one that early warning finds without data', { key: 'offline', at: backAt + 40 * secondMs }, 'platform 1'],
  ['a device of which its gateway says that it died', { key: 'device.offline', deviceId: 7, at: backAt + 5 * secondMs }, null],
  ['a gateway that went sooner than its silence can be noticed', { at: backAt + 29 * secondMs }, null],
  ['a gateway that was noticed before the platform went', { at: backAt - 601 * secondMs }, null],
  ['a gateway that came back and went', { at: backAt + 91 * secondMs }, null],
  ['a gateway of another project', { projectId: 2 }, null],
  ['what a person took out', { apart: true }, null],
  ['a fire', { key: 'smoke.alarm', deviceId: 7 }, null],
  ['a trip', { key: 'trip.short', lineId: 5 }, null],
  ['a missing supply', { key: 'voltage.under', lineId: 5 }, null],
])('%s', (_, event, parent) => {
  expect(parentOf(event)).toBe(parent)
})

test('what did not come back with the first return stays when the platform is away once more', () => {
  const again = { raisedAt: backAt + 60 * secondMs }
  expect(parentOf({ parent: 'platform 1' }, again)).toBe('platform 1')
  expect(parentOf({}, again)).toBe(null)
})

test('three gateways that have not come back are no outage of the site', () => {
  const came = [1, 2, 3].map((gatewayId) => ({ ...silent, id: String(gatewayId), gatewayId }))
  const { incidents, parents } = foldIncidents({ incidents: [platform], events: [] }, came, topology, silent.at)
  expect([...parents.values()]).toEqual(['platform 1', 'platform 1', 'platform 1'])
  expect([...incidents.values()].map(({ kind }) => kind).toSorted()).toEqual(['gateway', 'gateway', 'gateway', 'platform'])
})

test('it is over when all is noticed that is silent since, and no project waits longer than eleven minutes', () => {
  expect(platformSettledAt(0, 10 * secondMs)).toBe(90 * secondMs)
  expect(platformSettledAt(0, 3_600 * secondMs)).toBe(660 * secondMs)
  const endedAt = (now: number) => fold({}, {}, now).incidents.get('platform 1')?.endedAt
  expect(endedAt(backAt + 90 * secondMs - 1)).toBe(null)
  expect(endedAt(backAt + 400 * secondMs)).toBe(backAt + 90 * secondMs)
})
