import { dayMs, familyOf } from '@linewarden/equipment'
import type { HealthFacts } from './facts.ts'

export const now = Date.UTC(2026, 10, 20, 2, 46)

const known = (key: string) => {
  const family = familyOf(key)
  if (!family) throw new Error(`no family ${key}`)
  return family
}

/** A three-phase breaker of 100 A with which nothing is wrong. */
export const soundLine: HealthFacts = {
  family: known('breaker3p'),
  model: '3PN',
  ratedA: 100,
  settings: new Map([
    ['overload.trip', 110],
    ['overload.delay', 60],
    ['temperature.alarm', 80],
    ['overvoltage', 265],
    ['undervoltage', 175],
    ['leakage.trip', 300],
  ]),
  ordered: new Map([['overload.delay', 60]]),
  states: new Map([
    ['position', 'closed'],
    ['selfTest', 'passed'],
  ]),
  selfTest: { last: { at: now - 10 * dayMs, result: 'passed' }, enabled: true, everyDays: 31 },
  residualMa: 20,
  hottestC: 45,
  i95A: 60,
  outsidePercent: 0,
  unbalance2Percent: 0,
  unbalance4Percent: 0,
  availabilityPercent: 100,
  signalDbm: -80,
  batteryPercent: null,
  clockGood: true,
  online: 'online',
  lifeLeftDays: 2_000,
  wearShare: 0.1,
  firmwareWithdrawn: false,
  findings: [],
  alarms: [],
  lockoutCause: null,
  trips: 0,
  supplyFaults: 0,
  arcAlarms: 0,
  overdueOrders: 0,
}

/** A battery smoke detector with which nothing is wrong. */
export const soundDetector: HealthFacts = {
  ...soundLine,
  family: known('nt8117'),
  model: 'NT8117',
  ratedA: null,
  settings: new Map(),
  ordered: new Map(),
  states: new Map([
    ['smoke.alarm', 'normal'],
    ['detector.fault', 'none'],
    ['tamper', 'normal'],
  ]),
  selfTest: { last: null, enabled: true, everyDays: 31 },
  batteryPercent: 90,
}
