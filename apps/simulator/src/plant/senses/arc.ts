import type { Sense } from '../detector.ts'
import { alarm, levelOf } from '../detector.ts'

/** A sound circuit arcs for a few half-cycles when something is switched; fewer than 10 in a second must not alarm (GB 14287.4). */
export const arcSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'arc.alarm'),
  step(detector, { random }) {
    const { values, around, states } = detector
    const { arc } = around
    const halfCycles = arc === 'none' ? Math.floor(random() ** 12 * 5) : 16 + Math.floor(random() * 40)
    values.set('arc.halfCycles', halfCycles)
    if (arc === 'none' || halfCycles < levelOf(detector, 'arc.halfCycles') || states.get('arc.alarm') !== 'normal') return
    alarm(detector, 'arc.alarm', arc)
    for (const key of ['arc.count', `arc.${arc}`]) values.set(key, (values.get(key) ?? 0) + 1)
  },
}
