import type { LiveListener } from '../../app/net/live-link.ts'
import { applyChange } from './changes.ts'

/** Steps of changes of settings. */
export const settingsLive: LiveListener = {
  onLive(message) {
    if (message.t === 'setting') applyChange(message.change)
  },
}
