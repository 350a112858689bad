import { area, callsIn } from '../../core/area.ts'
import * as detectorSettings from './detector-settings.ts'
import * as lineSettings from './line-settings.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as changes from './setting-change.ts'
import * as settings from './settings.ts'
import * as templates from './templates.ts'

export * from './detector-settings.ts'
export * from './line-settings.ts'
export * from './setting-change.ts'
export { maxTargets, SettingTarget } from './setting-order.ts'
export * from './settings.ts'
export * from './templates.ts'

export const settingsArea = area({
  name: 'settings',
  pages,
  calls: callsIn(detectorSettings, settings, lineSettings, changes, templates),
  names,
  live: {
    /** A step of a change of settings. */
    setting: { change: changes.SettingChange },
  },
})
