import { area, callsIn } from '../../core/area.ts'
import * as names from './names.ts'
import * as push from './push.ts'

export * from './push.ts'

export const pushArea = area({
  name: 'push',
  calls: callsIn(push),
  names,
})
