import { area, callsIn } from '../../core/area.ts'
import * as names from './names.ts'
import * as topology from './topology.ts'

export * from './topology.ts'

export const screenArea = area({
  name: 'screen',
  calls: callsIn(topology),
  names,
})
