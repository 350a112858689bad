import type { Sense } from './sense.ts'
import { alarm, glide } from './sense.ts'

/** Alarm threshold of a photoelectric point detector, obscuration per metre. */
const alarmAt = 12

/** Smoke drifts into the chamber within seconds. */
export const smokeSense: Sense = {
  feels: ({ points }) => points.some(({ key }) => key === 'smoke'),
  step(detector, moment) {
    const haze = detector.around.smokePercentPerM + (moment.random() - 0.5) * 0.1
    const level = Math.max(0, glide(detector, 'smoke', haze, 8, moment))
    detector.values.set('smoke', level)
    if (level >= alarmAt && detector.states.get('smoke.alarm') === 'normal') alarm(detector, 'smoke.alarm', 'alarm')
  },
}
