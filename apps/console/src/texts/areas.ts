import { control } from './control.ts'
import { exposure } from './exposure.ts'
import { firmware } from './firmware.ts'
import { firstRun } from './first-run.ts'
import { frame } from './frame.ts'
import { gateway } from './gateway.ts'
import { history } from './history.ts'
import { importing } from './importing.ts'
import { monitor } from './monitor.ts'
import { operations } from './operations.ts'
import { people } from './people.ts'
import { project } from './project.ts'
import { push } from './push.ts'
import { safety } from './safety.ts'
import { security } from './security.ts'
import { settings } from './settings.ts'
import { site } from './site.ts'

/** The texts of every area behind the login: a new file is named here. */
export const areas = {
  app: frame,
  control,
  exposure,
  firmware,
  firstRun,
  gateway,
  history,
  importing,
  monitor,
  operations,
  people,
  project,
  push,
  safety,
  security,
  settings,
  site,
}

export type Areas = typeof areas
