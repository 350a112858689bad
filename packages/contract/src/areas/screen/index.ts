import { area, callsIn } from '../../core/area.ts'
import * as links from './links.ts'
import * as names from './names.ts'
import * as sessions from './sessions.ts'
import * as topology from './topology.ts'
import * as view from './view.ts'

export * from './links.ts'
export * from './sessions.ts'
export * from './topology.ts'
export * from './view.ts'

export const screenArea = area({
  name: 'screen',
  calls: callsIn(links, sessions, topology, view),
  names,
})
