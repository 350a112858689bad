import { area, callsIn } from '../../core/area.ts'
import * as energy from './energy.ts'
import { pages } from './pages.ts'

export * from './energy.ts'

export const energyArea = area({
  name: 'energy',
  pages,
  calls: callsIn(energy),
})
