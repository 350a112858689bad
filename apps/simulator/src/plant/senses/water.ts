import { dayMs } from '@linewarden/equipment'
import type { Sense } from './sense.ts'
import { glide } from './sense.ts'

/** Two electrodes: wet at once, dry when the water is gone. */
export const waterSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'water'),
  step({ states, around }) {
    states.set('water', around.wet ? 'wet' : 'dry')
  },
}

/** What every detector knows of itself: its cell, its radio, its own temperature, its faults, and whether it hangs where it should. */
export const conditionSense: Sense = {
  feels: () => true,
  begin({ values }, random) {
    if (values.has('battery')) values.set('battery', 70 + Math.floor(random() * 30))
    if (values.has('signal')) values.set('signal', -60 - Math.floor(random() * 30))
    if (values.has('temperature')) values.set('temperature', 24 + random() * 3)
  },
  step(detector, moment) {
    const { values, states, around } = detector
    if (values.has('battery')) {
      if (around.batteryFlat) glide(detector, 'battery', 6, 20, moment)
      // A lithium cell lasts some ten years: one per cent in five weeks.
      else values.set('battery', Math.max(0, (values.get('battery') ?? 0) - moment.dtMs / (35 * dayMs)))
    }
    if (values.has('temperature')) {
      const heat = around.smokePercentPerM * 0.8
      glide(detector, 'temperature', around.ambientC + heat + (moment.random() - 0.5) * 0.2, 30, moment)
    }
    const faults = detector.family.states.find(({ key }) => key === 'detector.fault')?.values ?? []
    if (faults.some(({ key }) => key === around.fault)) states.set('detector.fault', around.fault)
    if (states.has('tamper')) states.set('tamper', around.removed ? 'removed' : 'normal')
  },
}
