import { area, callsIn } from '../../core/area.ts'
import * as history from './history.ts'
import { pages } from './pages.ts'

export * from './history.ts'

export const historyArea = area({
  name: 'history',
  pages,
  calls: callsIn(history),
})
