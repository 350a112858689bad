import { families } from '@linewarden/equipment'
import type { PlantDevice } from '../apps/server/src/plant/plant.ts'
import { newDevice, newGateway } from '../apps/server/src/plant/plant.ts'

const [breaker] = families
if (!breaker) throw new Error('there are no families')

/** A breaker that stands nowhere: rows need a line, and a line needs a device. */
export const breakerForBench: PlantDevice = newDevice({
  id: 1,
  gateway: {
    ...newGateway({
      id: 1,
      project: { id: 1, cityId: 1, ownerId: null, name: 'bench', timeZone: 'UTC', standard: 'GB' },
      number: 'bench',
      name: 'bench',
      reportingPeriodMs: 1_000,
    }),
    link: 'online',
    clockSynchronised: true,
  },
  controllerId: 'bench',
  name: 'bench',
  family: breaker,
  model: '3PN',
})
