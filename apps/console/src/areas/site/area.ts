import { consoleArea } from '../console-area.ts'
import { firstRun } from './first-run-texts.ts'
import { gateway } from './gateway-texts.ts'
import { importing } from './import/texts.ts'
import { sitePages } from './pages.ts'
import { project } from './project-texts.ts'
import { site } from './texts.ts'

export const siteArea = consoleArea('site', { pages: sitePages, texts: { firstRun, gateway, importing, project, site } })
