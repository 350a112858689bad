import type { Sense } from './sense.ts'
import { alarm, levelOf } from './sense.ts'

/** How long residual current must stand before it is an alarm, not a switching surge (ours). */
const standMs = 5_000

/** The residual-current and temperature fire detector. A switched-off alarm stays quiet, and the detector says that it is switched off. */
export const fireSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'fire.alarm'),
  step(detector, { now }) {
    const { states, values, since } = detector
    const watched = {
      residual: levelOf(detector, 'residual.enabled') === 1,
      temperature: levelOf(detector, 'temperature.enabled') === 1,
    }
    const off = Object.values(watched).filter((each) => !each).length
    states.set('disabled', off === 0 ? 'none' : off === 1 ? 'some' : 'all')
    const leaks = (values.get('residual') ?? 0) >= levelOf(detector, 'residual.alarm')
    if (!leaks) since.delete('residual')
    else if (!since.has('residual')) since.set('residual', now)
    if (states.get('fire.alarm') !== 'normal') return
    const hottest = Math.max(...['a', 'b', 'c', 'n'].map((probe) => values.get(`temperature.${probe}`) ?? 0))
    if (watched.residual && leaks && now - (since.get('residual') ?? now) >= standMs) alarm(detector, 'fire.alarm', 'residual')
    else if (watched.temperature && hottest >= levelOf(detector, 'temperature.alarm'))
      alarm(detector, 'fire.alarm', 'temperature')
  },
}
