import type { LineState } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { conditionOf, conditionWord, pointSeverity, severityOf, stateSeverity } from './line-condition.ts'

const breaker = familyOf('breaker3p')
const smoke = familyOf('smoke')
const healthy: LineState = {
  LineID: 1,
  At: 1,
  ReceivedAt: 1,
  Quality: 'good',
  Values: [],
  States: { position: 'closed', 'trip.cause': 'none' },
  PositionAt: 1,
  PositionSince: null,
  Active: [],
  Tags: 0,
  Pending: null,
}
type Active = LineState['Active'][number]
const alarm: Active = { EventID: '1', Key: 'k', Kind: 'alarm', Priority: 'high', Point: 'current.a' }

test('a closed line is closed', () => expect(conditionOf(healthy, 'online', breaker)).toBe('closed'))

test.each(['offline', 'never', undefined] as const)(
  'a line behind a gateway that is %s is offline, whatever it last said',
  (link) => {
    expect(conditionOf(healthy, link, breaker)).toBe('offline')
  },
)

test('a position that was never reported is unknown, not open', () => {
  expect(conditionOf({ ...healthy, States: { position: null } }, 'online', breaker)).toBe('unknown')
  expect(conditionOf(undefined, 'online', breaker)).toBe('unknown')
})

test('open by protection is tripped, open by hand is open', () => {
  expect(conditionOf({ ...healthy, States: { position: 'open', 'trip.cause': 'leakage' } }, 'online', breaker)).toBe('tripped')
  expect(conditionOf({ ...healthy, States: { position: 'open', 'trip.cause': 'remote' } }, 'online', breaker)).toBe('open')
})

test('a command under way never moves the symbol, it only hints', () => {
  expect(conditionOf({ ...healthy, Pending: { CommandID: 'x', Action: 'trip' } }, 'online', breaker)).toBe('opening')
  expect(
    conditionOf(
      { ...healthy, States: { position: 'open', 'trip.cause': 'remote' }, Pending: { CommandID: 'x', Action: 'trip' } },
      'online',
      breaker,
    ),
  ).toBe('open')
})

test('a detector stands by the worst of its events: a low battery and a fault are no alarm', () => {
  const own = { ...healthy, States: {} }
  const low: Active = { ...alarm, Key: 'battery.low', Kind: 'warning', Point: 'battery' }
  const dirty: Active = { ...alarm, Key: 'detector.fault', Kind: 'fault', Point: null }
  expect(conditionOf({ ...own, Active: [low] }, 'online', smoke)).toBe('warningState')
  expect(conditionOf({ ...own, Active: [low, dirty] }, 'online', smoke)).toBe('faultState')
  expect(conditionOf({ ...own, Active: [low, dirty, alarm] }, 'online', smoke)).toBe('alarmState')
  expect(conditionWord('warningState', { ...own, Active: [low] }, smoke)?.zh).toBe('电池电量低')
  expect(conditionWord('alarmState', { ...own, Active: [low, alarm] }, smoke)).toBe(null)
})

test('gas beyond the limit its detector alarms at is an alarm, not the warning it passed before', () => {
  const gas = familyOf('gas')
  const leak: Active[] = [
    { ...alarm, Key: 'gas.rising', Kind: 'warning', Point: 'gas' },
    { ...alarm, Key: 'gas.low', Kind: 'alarm', Point: null },
  ]
  const state = { ...healthy, States: { 'gas.alarm': 'low', sounder: 'sounding' }, Active: leak }
  expect(pointSeverity(state, 'gas')).toBe('alarm')
  expect(gas && [stateSeverity(state, gas, 'gas.alarm'), stateSeverity(state, gas, 'sounder')]).toEqual(['alarm', null])
})

test('a detector is normal or in alarm', () => {
  expect(conditionOf({ ...healthy, States: {} }, 'online', smoke)).toBe('normal')
  expect(conditionOf({ ...healthy, States: {}, Active: [alarm] }, 'online', smoke)).toBe('alarmState')
})

test('the worst event decides the colour, of the line and of the point', () => {
  const state: LineState = { ...healthy, Active: [{ ...alarm, Kind: 'warning', Point: 'residual' }, alarm] }
  expect(severityOf(state)).toBe('alarm')
  expect(pointSeverity(state, 'residual')).toBe('warning')
  expect(pointSeverity(state, 'voltage.a')).toBe(null)
  expect(severityOf(healthy)).toBe(null)
})
