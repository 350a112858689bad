import type { DevicePlan } from '../plan.ts'
import type { Random } from '../random.ts'

/** A smoke detector. It latches: only its own reset ends the alarm. */
export interface SimulatedDetector {
  readonly plan: DevicePlan
  smokePercentPerM: number
  temperatureC: number
  batteryPercent: number
  signalDbm: number
  alarm: boolean
  sounding: boolean
  /** Smoke that a scenario lets in. */
  smokeTarget: number
}

/** Alarm threshold of a photoelectric point detector, obscuration per metre. */
const alarmAt = 12

export function newDetector(plan: DevicePlan, random: Random): SimulatedDetector {
  return {
    plan,
    smokePercentPerM: 0.2,
    temperatureC: 24 + random() * 3,
    batteryPercent: 70 + Math.floor(random() * 30),
    signalDbm: -60 - Math.floor(random() * 30),
    alarm: false,
    sounding: false,
    smokeTarget: 0.2,
  }
}

/** Moves the detector on; true when it has just gone into alarm. */
export function stepDetector(detector: SimulatedDetector, dtMs: number, random: Random): boolean {
  const pace = 1 - Math.exp(-dtMs / 8_000)
  detector.smokePercentPerM = Math.max(
    0,
    detector.smokePercentPerM + (detector.smokeTarget - detector.smokePercentPerM) * pace + (random() - 0.5) * 0.05,
  )
  detector.temperatureC += (24 + detector.smokePercentPerM * 0.8 - detector.temperatureC) * pace
  if (detector.alarm || detector.smokePercentPerM < alarmAt) return false
  detector.alarm = true
  detector.sounding = true
  return true
}

/** Somebody stands before it and resets it; with smoke still there it alarms again. */
export function resetDetector(detector: SimulatedDetector): void {
  detector.alarm = false
  detector.sounding = false
}
