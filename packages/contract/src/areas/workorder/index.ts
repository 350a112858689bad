import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as acts from './acts.ts'
import * as names from './names.ts'
import * as notices from './notices.ts'
import * as orders from './orders.ts'
import { pages } from './pages.ts'
import { reports } from './reports.ts'
import * as rules from './rules.ts'

export * from './acts.ts'
export * from './notices.ts'
export * from './order.ts'
export * from './orders.ts'
export * from './rules.ts'

export const workorderArea = area({
  name: 'workorder',
  pages,
  calls: callsIn(orders, acts, notices, rules),
  names,
  reports,
  /** An order was made, or something happened to it: it is to be asked for again. */
  live: { workOrder: { OrderID: Type.Integer() } },
})
