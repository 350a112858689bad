import { frame } from '../app/frame-texts.ts'
import { exposure } from '../app/notify/exposure-texts.ts'
import { security } from './account/security-texts.ts'
import { operations } from './control/operation-texts.ts'
import { safety } from './control/safety-texts.ts'
import { control } from './control/texts.ts'
import { firmware } from './firmware/texts.ts'
import { history } from './history/texts.ts'
import { monitor } from './monitor/texts.ts'
import { people } from './people/texts.ts'
import { push } from './push/texts.ts'
import { settings } from './settings/texts.ts'
import { firstRun } from './site/first-run-texts.ts'
import { gateway } from './site/gateway-texts.ts'
import { importing } from './site/import/texts.ts'
import { project } from './site/project-texts.ts'
import { site } from './site/texts.ts'

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
