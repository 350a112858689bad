import type { Finding, FollowedFinding, LeakageDay, Outcome } from '@linewarden/rules/warning'
import {
  contact,
  defaultParams,
  evaluateContacts,
  evaluateLeakageDrift,
  evaluateLeakageHours,
  evaluateLeakageStep,
  evaluateLoadGrowth,
  evaluationGate,
  followFinding,
  leakageDay,
  leakageDrift,
  leakageDriftDays,
  leakageStep,
  leakageStepDays,
  loadGrowth,
  nothingFollowed,
  spanOfDays,
} from '@linewarden/rules/warning'
import type { LineTruth } from './line-truth.ts'
import { contactPoints, currentPoints, riseK, thermalS } from './line-truth.ts'

/** The detectors that look at a line once a day; the step has two ways to be seen, which are measured apart. */
export const dailyDetectors = ['leakage.step', 'leakage.step hourly', 'leakage.drift', 'contact', 'load.growth'] as const
export type DailyDetector = (typeof dailyDetectors)[number]

/** A finding that was raised at the end of a day. */
export interface Raised {
  readonly detector: DailyDetector
  readonly day: number
  readonly finding: Finding
}

/** 1 January 1970 was a Thursday. Only on Sundays is there a new week to look at. */
const sunday = 3

const params = {
  step: defaultParams(leakageStep),
  drift: defaultParams(leakageDrift),
  contact: defaultParams(contact),
  growth: defaultParams(loadGrowth),
}

/** Looks at a line at the end of each of its days, as the nightly run does, and answers what it raised. */
export function watchLine({ make, hours }: LineTruth, detectors: readonly DailyDetector[] = dailyDetectors): readonly Raised[] {
  const last = hours.day.at(-1) ?? 0
  const days: LeakageDay[] = []
  const followed = new Map<string, FollowedFinding>()
  const raised: Raised[] = []
  let weekly: readonly Outcome[] = []
  for (let day = 0; day <= last; day++) {
    const [from, to] = spanOfDays(hours, day, day)
    days.push(leakageDay(day, hours, [from, to]))
    const coverage = hours.counts.subarray(from, to).reduce((sum, each) => sum + each, 0) / 24
    const conditions = { daysLearnt: day, open: false, tagged: false, inspected: false, coverage }
    if (evaluationGate(conditions) !== null) continue
    for (const detector of detectors) {
      const known = detector === 'load.growth' && weekly.length > 0 && day % 7 !== sunday
      const outcomes = known ? weekly : lookAt(detector, { make, hours }, day, days)
      if (detector === 'load.growth') weekly = outcomes
      for (const [place, outcome] of outcomes.entries()) {
        const name = `${detector} ${place}`
        const answer = followFinding(followed.get(name) ?? nothingFollowed, outcome, looksOf[detector])
        followed.set(name, answer.followed)
        if (answer.change?.kind === 'raised') raised.push({ detector, day, finding: answer.change.finding })
      }
    }
  }
  return raised
}

const looksOf: Readonly<Record<DailyDetector, 1 | 2>> = {
  'leakage.step': leakageStep.looks,
  'leakage.step hourly': leakageStep.looks,
  'leakage.drift': leakageDrift.looks,
  contact: contact.looks,
  'load.growth': loadGrowth.looks,
}

function lookAt(
  detector: DailyDetector,
  { make, hours }: LineTruth,
  today: number,
  days: readonly LeakageDay[],
): readonly Outcome[] {
  const { tripMa, ratedA, phases } = make
  switch (detector) {
    case 'leakage.step':
      return [evaluateLeakageStep(params.step, days.slice(-leakageStepDays - 1), { today, tripMa })]
    case 'leakage.step hourly':
      return [evaluateLeakageHours(params.step, hours, { today, tripMa })]
    case 'leakage.drift':
      return [evaluateLeakageDrift(params.drift, days.slice(-leakageDriftDays), { today, tripMa })]
    case 'contact': {
      const points = contactPoints[phases]
      return evaluateContacts(params.contact, hours, {
        ratedA,
        riseK,
        thermalS,
        today,
        points,
        airC: null,
        alarmC: null,
        daily: [],
      })
    }
    case 'load.growth':
      return evaluateLoadGrowth(params.growth, hours, { today, ratedA, points: currentPoints[phases] })
  }
}
