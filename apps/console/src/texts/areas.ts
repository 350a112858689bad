import { control } from './control.ts'
import { monitor } from './monitor.ts'
import { operations } from './operations.ts'
import { site } from './site.ts'

/** The texts of every area behind the login: a new file is named here. */
export const areas = { control, monitor, operations, site }

export type Areas = typeof areas
