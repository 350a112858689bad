import { foldOf } from '@linewarden/contract'
import { accountSubjects } from './areas/account/subjects.ts'
import { alarmSubjects } from './areas/alarm/subjects.ts'
import { firmwareSubjects } from './areas/firmware/subjects.ts'
import { pushSubjects } from './areas/push/subjects.ts'
import { settingsSubjects } from './areas/settings/subjects.ts'
import { siteSubjects } from './areas/site/subjects.ts'
import { type SubjectSources, unnamed } from './audit/names.ts'
import type { Plant } from './plant/plant.ts'
import type { Database } from './store/core/database.ts'

/** What the areas know of the things that the audit log tells of. */
export const auditSubjects = (deps: { database: Database; plant: Plant }): SubjectSources =>
  foldOf(
    accountSubjects(deps),
    siteSubjects(deps),
    settingsSubjects(deps),
    alarmSubjects(deps),
    pushSubjects(deps),
    firmwareSubjects(deps),
    { run: unnamed, operation: unnamed, nothing: unnamed },
  )
