import { area, callsIn } from '../../core/area.ts'
import * as ingest from './ingest.ts'

export * from './ingest.ts'

export const ingestArea = area({
  name: 'ingest',
  calls: callsIn(ingest),
})
