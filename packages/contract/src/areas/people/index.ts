import { area, callsIn } from '../../core/area.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as roles from './roles.ts'
import * as users from './users.ts'

export * from './roles.ts'
export * from './users.ts'

export const peopleArea = area({
  name: 'people',
  pages,
  calls: callsIn(roles, users),
  names,
})
