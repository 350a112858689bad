import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { PlantDevice } from '../../plant/plant.ts'
import { newGateway, newLine } from '../../plant/plant.ts'
import { Batch } from '../../store/ingest/batch.ts'
import { newWatch } from '../watch/line-watch.ts'
import { applyState } from './take.ts'

const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' } as const
const family = familyOf('breaker3p')
const gateway = newGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 })
const device = { id: 1, gateway, controllerId: 'D', name: 'd', family, model: '3P', ownTags: [], lines: new Map() }

/** The line reports these one after the other, a second apart. Answers the trips that stay to be explained: their cause and second. */
function lockedOut(...reports: readonly (readonly [state: string, value: string])[]) {
  const watch = newWatch(newLine(1, device as unknown as PlantDevice, 1, 'l', 63))
  return reports.map(([key, value], second) => {
    const state = family?.states.find((each) => each.key === key)
    const code = state?.values.findIndex((each) => each?.key === value) ?? -1
    if (!state || code < 0) throw new Error(`no state ${key} ${value}`)
    const batch = new Batch(1)
    applyState(batch, watch, state, code, { at: second * 1_000, receivedAt: second * 1_000, historical: false })
    const lockout = batch.lockouts.get(watch.line)
    return lockout ? `${lockout.cause} ${lockout.at}` : null
  })
}

test.each(['leakage', 'short', 'arc'])('a trip by %s stays to be explained from when it is told, and is told once', (cause) => {
  expect(lockedOut(['trip.cause', 'none'], ['trip.cause', cause], ['trip.cause', cause])).toEqual([null, `${cause} 1000`, null])
})

test('a line that opens with such a cause has tripped anew; one that is reported open again, or closes, has not', () => {
  const reports = [
    ['trip.cause', 'leakage'],
    ['position', 'closed'],
    ['position', 'open'],
    ['position', 'open'],
  ] as const
  expect(lockedOut(...reports)).toEqual(['leakage 0', null, 'leakage 2000', null])
})

test.each(['overload', 'undervoltage', 'none'])('the cause %s leaves nothing to explain', (cause) => {
  expect(lockedOut(['position', 'closed'], ['trip.cause', cause], ['position', 'open'])).toEqual([null, null, null])
})
