import { area, callsIn } from '../../core/area.ts'
import * as journal from './journal.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'

export * from './actions.ts'
export * from './call-subject.ts'
export * from './journal.ts'
export * from './operation.ts'
export * from './tellable.ts'

export const auditArea = area({
  name: 'audit',
  pages,
  calls: callsIn(journal),
  names,
})
