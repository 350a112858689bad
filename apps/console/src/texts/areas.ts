import { control } from './control.ts'
import { history } from './history.ts'
import { monitor } from './monitor.ts'
import { site } from './site.ts'

/** The texts of every area behind the login: a new file is named here. */
export const areas = { control, history, monitor, site }

export type Areas = typeof areas
