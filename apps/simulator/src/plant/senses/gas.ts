import { gasHighLel } from '@linewarden/equipment'
import type { Sense } from './sense.ts'
import { alarm, glide, levelOf } from './sense.ts'

/** Gas fills the room within half a minute. At the high limit the detector shuts the valve by itself. */
export const gasSense: Sense = {
  feels: ({ points }) => points.some(({ key }) => key === 'gas'),
  step(detector, moment) {
    const noise = (moment.random() - 0.5) * 0.2
    // A shut valve ends the leak, and the room airs.
    const shut = detector.states.get('valve') === 'shut'
    const level = Math.max(0, glide(detector, 'gas', (shut ? 0 : detector.around.gasPercentLel) + noise, 30, moment))
    detector.values.set('gas', level)
    const state = detector.states.get('gas.alarm')
    if (level >= gasHighLel && state !== 'high') {
      alarm(detector, 'gas.alarm', 'high')
      detector.states.set('valve', 'shut')
    } else if (level >= levelOf(detector, 'gas.low') && state === 'normal') alarm(detector, 'gas.alarm', 'low')
  },
}
