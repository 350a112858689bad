import type { LiveListener } from '../../app/net/live-link.ts'
import { tellChange } from './changes.ts'

/** Steps of changes of settings. */
export const settingsLive: LiveListener = {
  onLive(message) {
    if (message.t === 'setting') tellChange(message.change)
  },
}
