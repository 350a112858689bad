import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as alarm from './alarm.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'

export * from './alarm.ts'

export const alarmArea = area({
  name: 'alarm',
  pages,
  calls: callsIn(alarm),
  names,
  live: { event: { event: alarm.EventRecord, isNew: Type.Boolean() } },
})
