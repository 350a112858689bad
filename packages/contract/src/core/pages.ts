import { pages as account } from '../areas/account/pages.ts'
import { pages as alarm } from '../areas/alarm/pages.ts'
import { pages as audit } from '../areas/audit/pages.ts'
import { pages as automation } from '../areas/automation/pages.ts'
import { pages as control } from '../areas/control/pages.ts'
import { pages as energy } from '../areas/energy/pages.ts'
import { pages as equipment } from '../areas/equipment/pages.ts'
import { pages as firmware } from '../areas/firmware/pages.ts'
import { pages as hazard } from '../areas/hazard/pages.ts'
import { pages as health } from '../areas/health/pages.ts'
import { pages as history } from '../areas/history/pages.ts'
import { pages as inspection } from '../areas/inspection/pages.ts'
import { pages as monitor } from '../areas/monitor/pages.ts'
import { pages as people } from '../areas/people/pages.ts'
import { pages as report } from '../areas/report/pages.ts'
import { pages as settings } from '../areas/settings/pages.ts'
import { pages as site } from '../areas/site/pages.ts'
import { pages as warning } from '../areas/warning/pages.ts'
import { pages as workorder } from '../areas/workorder/pages.ts'
import { foldOf } from '../terms/fold.ts'

/** Every page, by its key. A file of its own: the console begins with it, and loads the names of the audit trail with its page. */
export const placedPages = foldOf(
  account,
  people,
  site,
  control,
  settings,
  alarm,
  firmware,
  equipment,
  monitor,
  history,
  warning,
  automation,
  inspection,
  hazard,
  health,
  workorder,
  energy,
  report,
  audit,
)
