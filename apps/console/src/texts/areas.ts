import { control } from './control.ts'
import { monitor } from './monitor.ts'
import { settings } from './settings.ts'
import { site } from './site.ts'

/** The texts of every area behind the login: a new file is named here. */
export const areas = { control, monitor, settings, site }

export type Areas = typeof areas
