import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as control from './control.ts'
import * as groupOperations from './group-operations.ts'
import * as interlocks from './interlocks.ts'
import * as ledger from './ledger.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as reclosure from './reclosure.ts'
import * as selfTests from './self-tests.ts'
import * as tripAnalysis from './trip-analysis.ts'

export * from './control.ts'
export * from './group-operations.ts'
export * from './interlocks.ts'
export * from './ledger.ts'
export * from './reclosure.ts'
export * from './self-tests.ts'
export * from './trip-analysis.ts'

export const controlArea = area({
  name: 'control',
  pages,
  calls: callsIn(tripAnalysis, control, interlocks, ledger, reclosure, groupOperations, selfTests),
  names,
  live: {
    command: { command: control.CommandRecord },
    /** How far a group operation of mine has come. */
    run: { run: groupOperations.GroupOperationRecord },
    /** A tag was hung or taken off somewhere on this gateway: what is in force on its lines is to be asked for again. */
    tags: { DeviceID: Type.Integer() },
  },
})
