import { area, callsIn } from '../../core/area.ts'
import * as deviceTokens from './device-tokens.ts'
import * as equipment from './equipment.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'

export * from './device-tokens.ts'
export * from './equipment.ts'

export const equipmentArea = area({
  name: 'equipment',
  pages,
  calls: callsIn(deviceTokens, equipment),
  names,
})
