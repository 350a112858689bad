import { area } from '../../core/area.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'

export const warningArea = area({
  name: 'warning',
  pages,
  calls: {},
  names,
})
