import { dayMs, hourMs } from '@linewarden/equipment'
import type { Sense } from './sense.ts'
import { levelOf } from './sense.ts'

const chinaOffsetMs = 8 * hourMs

/** Somebody is seen at once; nobody is believed only after a while. While guarded, somebody is an alarm until the guard is switched off. */
export const presenceSense: Sense = {
  feels: ({ states }) => states.some(({ key }) => key === 'presence'),
  step(detector, { now }) {
    const { states, values, since, around } = detector
    const day = Math.floor((now + chinaOffsetMs) / dayMs)
    if (since.get('day') !== day) {
      since.set('day', day)
      values.set('presence.count', 0)
    }
    const guarded = levelOf(detector, 'guard.enabled') === 1
    states.set('guard', guarded ? 'on' : 'off')
    if (around.somebody) {
      if (states.get('presence') === 'nobody') values.set('presence.count', (values.get('presence.count') ?? 0) + 1)
      states.set('presence', 'somebody')
      since.set('seen', now)
      if (guarded) states.set('intrusion', 'alarm')
    } else if (now - (since.get('seen') ?? 0) >= levelOf(detector, 'presence.hold') * 1000) states.set('presence', 'nobody')
    if (!guarded) states.set('intrusion', 'normal')
  },
}
