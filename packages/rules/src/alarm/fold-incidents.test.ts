import { describe, expect, test } from 'vitest'
import { afterEndMs, foldIncidents } from './fold-incidents.ts'
import type { FoldEvent, FoldTopology, Incident } from './incident.ts'
import { gravestOf, placeKey } from './incident.ts'
import { isIncidentOver, standsAlone } from './incident-end.ts'

const s = 1_000
const t0 = 1_000_000
/** Line 1 feeds line 2 and this line 3; line 9 feeds nothing. Lines 1 to 3 are of gateway 1, by devices 11 and 12. */
const topology: FoldTopology = {
  below: new Map([
    [
      1,
      new Map([
        [2, 1],
        [3, 2],
      ]),
    ],
    [2, new Map([[3, 1]])],
  ]),
  linesOfDevice: new Map([
    [11, [2, 3]],
    [12, [3, 9]],
  ]),
  linesOfGateway: new Map([
    [2, [3]],
    [3, [9]],
  ]),
  gatewaysOf: new Map([[1, 20]]),
  periodOf: new Map([[1, 10 * s]]),
  maxPeriodMsOf: new Map([[1, 10 * s]]),
}
let ids = 0
const event = (key: string, more: Partial<FoldEvent> = {}): FoldEvent => ({
  ...{ id: String(++ids), key, projectId: 1, gatewayId: 1, deviceId: null, lineId: null },
  ...{ at: t0, returnedAt: null, parent: null, apart: false, ...more },
})
const fold = (came: readonly FoldEvent[], incidents: readonly Incident[] = [], now = t0 + 10 * s) =>
  foldIncidents({ incidents, events: [] }, came, topology, now)
const trip = (lineId: number, more: Partial<FoldEvent> = {}) => event('trip.short', { lineId, ...more })
const low = (lineId: number, more: Partial<FoldEvent> = {}) => event('voltage.under', { lineId, ...more })
const parentsOf = (...came: readonly FoldEvent[]) => [...fold(came).parents.values()]

describe('a line that opened upstream', () => {
  test.each<[string, readonly FoldEvent[], readonly (string | null)[]]>([
    ['explains what has no supply below it', [trip(1), low(2), low(3)], [null, 'upstreamTrip 1', 'upstreamTrip 1']],
    ['the nearest of two does', [trip(1), trip(2), low(3)], [null, null, 'upstreamTrip 2']],
    ['not its own supply, nor that of another line', [trip(1), low(1), low(9)], [null, null, null]],
    ['not what else happens below', [trip(1), event('temperature.alarm', { lineId: 2 })], [null, null]],
    [
      '30 s before and after it',
      [trip(1), low(2, { at: t0 - 30 * s }), low(2, { at: t0 + 30 * s })],
      [null, 'upstreamTrip 1', 'upstreamTrip 1'],
    ],
    ['and no longer', [trip(1), low(2, { at: t0 - 31 * s }), low(2, { at: t0 + 31 * s })], [null, null, null]],
    [
      'a device whose lines all hang below is silent',
      [trip(1), event('device.stale', { deviceId: 11 })],
      [null, 'upstreamTrip 1'],
    ],
    ['a device of which a line does not', [trip(1), event('device.stale', { deviceId: 12 })], [null, null]],
    [
      'a device is as near as its nearest line',
      [trip(1), trip(2, { at: t0 + s }), event('device.stale', { deviceId: 11 })],
      [null, null, 'upstreamTrip 1'],
    ],
    [
      'silence is noticed 90 s later',
      [trip(1), event('device.stale', { deviceId: 11, at: t0 + 120 * s })],
      [null, 'upstreamTrip 1'],
    ],
    ['silence that began later', [trip(1), event('device.stale', { deviceId: 11, at: t0 + 121 * s })], [null, null]],
    ['a missing supply is noticed at once', [trip(1), low(2, { at: t0 + 120 * s })], [null, null]],
    ['a line that feeds nothing explains nothing', [trip(9), low(3)], [null, null]],
    ['what a person took out stays out', [trip(1), low(2, { apart: true })], [null, null]],
    ['danger is never folded', [trip(1), event('smoke.alarm', { lineId: 2 })], [null, null]],
  ])('%s', (_, came, expected) => expect(parentsOf(...came)).toEqual(expected))

  test('of two that are as near, the one that opened nearer in time', () => {
    const both: FoldTopology = { ...topology, below: new Map([1, 2].map((line) => [line, new Map([[3, 1]])])) }
    const of = (first: number, second: number) => {
      const came = [trip(1, { at: t0 + first * s }), trip(2, { at: t0 + second * s }), low(3, { at: t0 + 10 * s })]
      return [...foldIncidents({ incidents: [], events: [] }, came, both, t0).parents.values()].at(-1)
    }
    expect([of(0, 12), of(9, 0), of(12, 9)]).toEqual(['upstreamTrip 2', 'upstreamTrip 1', 'upstreamTrip 2'])
  })

  test('opened by hand no alarm shows for it, and it ends when the line closes', () => {
    const opened = event('position.open', { lineId: 1 })
    const key = placeKey({ kind: 'upstreamTrip', projectId: 1, gatewayId: 1, lineId: 1 })
    const first = fold([opened]).incidents
    expect(first.get(key)).toMatchObject({ rootId: null, openedAt: t0, endedAt: null })
    const closed = (at: number, incidents: ReadonlyMap<string, Incident>) =>
      fold([event('position.closed', { lineId: 1, at })], [...incidents.values()]).incidents
    expect(closed(t0 + 5 * s, first).get(key)?.endedAt).toBe(t0 + 5 * s)
    expect(closed(t0, first).get(key)?.endedAt).toBe(t0)
    // A report of how it stood before it opened ends nothing.
    expect(closed(t0 - 1, first).get(key)?.endedAt).toBeNull()
    const ended = closed(t0 + 5 * s, first)
    expect(closed(t0 + 9 * s, ended).get(key)?.endedAt).toBe(t0 + 5 * s)
    expect(closed(t0, new Map()).size).toBe(0)
  })
})

describe('a gateway that is gone', () => {
  const gone = (more: Partial<FoldEvent> = {}) => event('gateway.offline', more)
  const device = (more: Partial<FoldEvent> = {}) => event('device.offline', { deviceId: 11, ...more })
  test.each<[string, readonly FoldEvent[], readonly (string | null)[]]>([
    ['shows for its devices', [gone(), device()], [null, 'gateway 1']],
    ['from a minute before', [gone(), device({ at: t0 - 60 * s })], [null, 'gateway 1']],
    ['and no sooner', [gone(), device({ at: t0 - 61 * s })], [null, null]],
    ['as long as it is away', [gone(), device({ at: t0 + 3_600 * s })], [null, 'gateway 1']],
    ['and two minutes more', [gone({ returnedAt: t0 + 60 * s }), device({ at: t0 + 180 * s })], [null, 'gateway 1']],
    ['and no longer', [gone({ returnedAt: t0 + 60 * s }), device({ at: t0 + 181 * s })], [null, null]],
    ['not for those of another', [gone(), device({ gatewayId: 2 })], [null, null]],
  ])('%s', (_, came, expected) => expect(parentsOf(...came)).toEqual(expected))

  const away: Incident = {
    ...{ kind: 'gateway', projectId: 1, gatewayId: 1, lineId: null, rootId: '7' },
    ...{ openedAt: t0, raisedAt: t0, endedAt: null },
  }
  test.each<[string, Partial<Incident>, Partial<FoldEvent>, Partial<Incident>]>([
    [
      'comes again as another event after it went',
      { endedAt: t0 + 5 * s },
      { id: '8', at: t0 + 9 * s },
      { rootId: '8', raisedAt: t0 + 9 * s, endedAt: null },
    ],
    ['is noted once more while it is there', {}, { id: '8', at: t0 + 9 * s }, { rootId: '7', raisedAt: t0 + 9 * s }],
    ['goes', {}, { id: '7', returnedAt: t0 + 9 * s }, { rootId: '7', endedAt: t0 + 9 * s }],
    [
      'went before it came again, and that is known late',
      { raisedAt: t0 + 9 * s },
      { id: '8', at: t0 - 9 * s, returnedAt: t0 - s },
      { rootId: '7', openedAt: t0 - 9 * s, raisedAt: t0 + 9 * s, endedAt: null },
    ],
    ['went, and that is reported twice', { endedAt: t0 + 3 * s }, { id: '7', returnedAt: t0 + 9 * s }, { endedAt: t0 + 3 * s }],
    ['is told once more as it was', { endedAt: t0 + 3 * s }, { id: '7' }, { endedAt: t0 + 3 * s }],
  ])('that %s', (_, known, came, expected) =>
    expect(fold([gone(came)], [{ ...away, ...known }]).incidents.get('gateway 1')).toMatchObject(expected),
  )
})

describe('a broken neutral', () => {
  const broken = (lineId: number, more: Partial<FoldEvent> = {}) => event('neutral', { lineId, ...more })
  const uneven = (lineId: number, more: Partial<FoldEvent> = {}) => event('voltage.over', { lineId, ...more })
  test.each<[string, readonly FoldEvent[], readonly (string | null)[]]>([
    ['on two lines is one of the cabinet', [broken(1), broken(2), uneven(3)], [null, 'neutral 1', 'neutral 1']],
    ['on one line explains nothing', [broken(1), uneven(3)], [null, null]],
    ['twice on one line is one line', [broken(1), broken(1, { at: t0 + s }), uneven(3)], [null, null, null]],
    ['on two lines of two cabinets', [broken(1), broken(2, { gatewayId: 2 }), uneven(3)], [null, null, null]],
    ['a minute apart', [broken(1), broken(2, { at: t0 + 60 * s })], [null, 'neutral 1']],
    ['more than a minute apart', [broken(1), broken(2, { at: t0 + 61 * s })], [null, null]],
    ['explains no supply of a whole device', [broken(1), broken(2), event('voltage.over')], [null, 'neutral 1', null]],
    ['explains no heat', [broken(1), broken(2), event('temperature.alarm', { lineId: 3 })], [null, 'neutral 1', null]],
    [
      'a minute before and after',
      [broken(1), broken(2), uneven(3, { at: t0 - 60 * s }), uneven(3, { at: t0 + 60 * s })],
      [null, 'neutral 1', 'neutral 1', 'neutral 1'],
    ],
    [
      'and no longer',
      [broken(1), broken(2), uneven(3, { at: t0 - 61 * s }), uneven(3, { at: t0 + 61 * s })],
      [null, 'neutral 1', null, null],
    ],
  ])('%s', (_, came, expected) => expect(parentsOf(...came)).toEqual(expected))

  const known: Incident = {
    ...{ kind: 'neutral', projectId: 1, gatewayId: 1, lineId: null, rootId: '500' },
    ...{ openedAt: t0, raisedAt: t0, endedAt: null },
  }
  test('its root stays once it has settled, and ends it', () => {
    const root = broken(1, { id: '500', at: t0 + 2 * s, returnedAt: t0 + 30 * s })
    const late = broken(2, { id: '400', at: t0 + s })
    const of = (now: number) => fold([root, late], [known], now).incidents.get('neutral 1')
    expect(of(t0 + 120 * s)).toMatchObject({ rootId: '400', endedAt: null })
    expect(of(t0 + 121 * s)).toMatchObject({ rootId: '500', endedAt: t0 + 30 * s })
  })

  test('once settled it needs no second line, before that it does', () => {
    const root = broken(1, { id: '500' })
    expect(fold([root], [known], t0 + 120 * s).incidents.has('neutral 1')).toBe(false)
    expect(fold([root], [known], t0 + 121 * s).incidents.get('neutral 1')).toMatchObject({ rootId: '500' })
  })

  test('what has nothing to do with it leaves it as it is', () =>
    expect(fold([broken(9, { gatewayId: 1 })], [known]).incidents.get('neutral 1')).toEqual(known))
})

describe('an outage', () => {
  const gone = (gatewayId: number, more: Partial<FoldEvent> = {}) => event('gateway.offline', { gatewayId, ...more })
  const gateways = (count: number, stepS = 1) =>
    Array.from({ length: count }, (_, nth) => gone(nth + 21, { at: t0 + nth * stepS * s }))
  const outage = (came: readonly FoldEvent[]) => fold(came).incidents.get('outage 1')
  test('is a fifth of the gateways within a minute', () => {
    expect(outage(gateways(3))).toBeUndefined()
    expect(outage(gateways(4))).toMatchObject({ openedAt: t0, rootId: null, endedAt: null })
    expect(outage(gateways(4, 20))).toMatchObject({ openedAt: t0, raisedAt: t0 + 60 * s })
    expect(outage(gateways(4, 21))).toBeUndefined()
    // Four of them within some minute are enough, however long the chain is.
    expect(outage([...gateways(2, 40), ...gateways(4).map((each) => ({ ...each, at: each.at + 80 * s }))])).toMatchObject({
      openedAt: t0,
    })
  })
  test('has at least three gateways', () => {
    const few = { ...topology, gatewaysOf: new Map([[1, 4]]) }
    const of = (count: number) => foldIncidents({ incidents: [], events: [] }, gateways(count), few, t0).incidents.has('outage 1')
    expect([of(2), of(3)]).toEqual([false, true])
  })
  test('ends with the last of them', () => {
    const back = gateways(4).map((each, nth) => ({ ...each, returnedAt: t0 + (100 - nth) * s }))
    expect(outage(back)?.endedAt).toBe(t0 + 100 * s)
    expect(outage([...back.slice(1), gone(30)])?.endedAt).toBeNull()
  })
  test('shows for the gateways, and these for what is behind them', () => {
    const device = event('device.offline', { gatewayId: 21, deviceId: 77 })
    const parents = parentsOf(...gateways(4), device)
    expect(parents).toEqual(['outage 1', 'outage 1', 'outage 1', 'outage 1', 'gateway 21'])
  })
  test('what a line explains, what was taken out and what is elsewhere is none of it', () => {
    const some = [...gateways(3), gone(31, { apart: true }), gone(32, { projectId: 2 }), gone(2)]
    expect(fold([trip(1), ...some]).incidents.has('outage 1')).toBe(false)
  })
})

test('an incident is over two minutes after it went, and what is there or needs somebody then stands alone', () => {
  expect([0, afterEndMs - 1, afterEndMs].map((ms) => isIncidentOver({ endedAt: t0 }, t0 + ms))).toEqual([false, false, true])
  expect(isIncidentOver({ endedAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(standsAlone('active', 'active')).toBe(true)
  expect(standsAlone('returned', 'active')).toBe(false)
  expect([standsAlone('returned', 'normal'), standsAlone('returned', null), standsAlone('normal', null)]).toEqual([
    true,
    true,
    false,
  ])
  expect([gravestOf(['low', 'high', 'medium']), gravestOf([])]).toEqual(['high', null])
})
