import { area, callsIn } from '../../core/area.ts'
import * as firmware from './firmware.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'

export * from './firmware.ts'

export const firmwareArea = area({
  name: 'firmware',
  pages,
  calls: callsIn(firmware),
  names,
})
