import { families } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { isAboutPoint, isGraver, rampOf, ramps } from './ramp.ts'

const step = (Key: string, more: Partial<Parameters<typeof rampOf>[0]> = {}) => {
  const alarm = families.flatMap(({ alarms }) => alarms).find(({ key }) => key === Key)
  const Point = alarm?.on === 'limit' ? (alarm.points[0] ?? null) : null
  return {
    Kind: alarm?.kind ?? 'fault',
    Priority: alarm?.priority ?? 'low',
    Key,
    Point,
    HouseID: 1,
    DeviceID: 1,
    LineID: 2,
    ControllerID: 'C',
    ...more,
  } as const
}

test.each([
  [['residual.notice', 'residual.warning', 'residual.alarm']],
  [['gas.rising', 'gas.low', 'gas.high']],
  [['current.warning', 'current.alarm']],
  [['temperature.warning', 'temperature.alarm']],
])('%j of one place are one ramp, each graver than the one before', (keys) => {
  const steps = keys.map((key) => step(key))
  expect(new Set(steps.map(rampOf)).size).toBe(1)
  for (const [index, each] of steps.entries())
    expect(steps.map((other) => isGraver(each, other))).toEqual(steps.map((_, other) => other < index))
})

test('another line, another phase, another cause is another ramp', () => {
  const own = rampOf(step('current.alarm'))
  expect(rampOf(step('current.alarm', { LineID: 3 }))).not.toBe(own)
  expect(rampOf(step('current.alarm', { DeviceID: 2 }))).not.toBe(own)
  const ofProject = (HouseID: number) =>
    rampOf(step('current.alarm', { HouseID, DeviceID: null, LineID: null, ControllerID: null }))
  expect(ofProject(1)).not.toBe(ofProject(2))
  expect(rampOf(step('current.warning', { Point: 'current.b' }))).not.toBe(own)
  expect(rampOf(step('trip.short'))).not.toBe(rampOf(step('trip.leakage')))
  expect(rampOf(step('voltage.over'))).not.toBe(rampOf(step('voltage.under')))
  expect(rampOf(step('residual.alarm'))).not.toBe(rampOf(step('trip.leakage')))
})

test('a gateway that fell silent and then went offline is one ramp of the whole gateway', () => {
  const [silent, offline] = ['gateway.stale', 'gateway.offline'].map((key) => step(key, { LineID: null }))
  if (!silent || !offline) throw new Error('no steps')
  expect(rampOf(silent)).toBe(rampOf(offline))
  expect(isGraver(offline, silent)).toBe(true)
})

test('two devices of one gateway that went offline are two ramps', () => {
  const [one, other] = ['C', 'D'].map((ControllerID) => rampOf(step('device.offline', { LineID: null, ControllerID })))
  expect(one).not.toBe(other)
})

test('what a detector judges by itself is about its value, too', () => {
  expect(isAboutPoint({ Key: 'gas.low', Point: null }, 'gas')).toBe(true)
  expect(isAboutPoint({ Key: 'gas.rising', Point: 'gas' }, 'gas')).toBe(true)
  expect(isAboutPoint({ Key: 'gas.low', Point: null }, 'temperature')).toBe(false)
  expect(isAboutPoint({ Key: 'current.alarm', Point: 'current.a' }, 'current.b')).toBe(false)
})

test('an alarm is graver than a fault, a fault than a warning, whatever their priority says', () => {
  const [alarm, fault, warning] = (['alarm', 'fault', 'warning'] as const).map((Kind) => step('any', { Kind }))
  if (!alarm || !fault || !warning) throw new Error('no steps')
  expect([isGraver(alarm, fault), isGraver(fault, warning), isGraver(warning, alarm)]).toEqual([true, true, false])
  expect(isGraver(alarm, alarm)).toBe(false)
})

test('limits of one family that lie on the same points to the same side are steps of one ramp', () => {
  for (const { alarms } of families)
    for (const one of alarms)
      for (const other of alarms) {
        if (one.on !== 'limit' || other.on !== 'limit' || one === other || one.side !== other.side) continue
        if (!one.points.some((point) => other.points.includes(point))) continue
        expect(
          ramps.filter((keys) => keys.includes(one.key) && keys.includes(other.key)),
          `${one.key} ${other.key}`,
        ).toHaveLength(1)
      }
})
