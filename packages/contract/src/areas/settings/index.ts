import { area, callsIn } from '../../core/area.ts'
import * as detectorSettings from './detector-settings.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as settings from './settings.ts'

export * from './detector-settings.ts'
export * from './settings.ts'

export const settingsArea = area({
  name: 'settings',
  pages,
  calls: callsIn(detectorSettings, settings),
  names,
  live: {
    /** A step of a change of settings. */
    setting: { change: settings.SettingChange },
  },
})
