import { families } from '@linewarden/equipment'
import type { PlantDevice } from '../apps/server/src/live/plant.ts'

const [breaker] = families
if (!breaker) throw new Error('there are no families')

/** A breaker that stands nowhere: rows need a line, and a line needs a device. */
export const breakerForBench: PlantDevice = {
  id: 1,
  gateway: {
    id: 1,
    project: { id: 1, cityId: 1, ownerId: null, name: 'bench', timeZone: 'UTC', standard: 'GB' },
    number: 'bench',
    name: 'bench',
    disabled: false,
    reportingPeriodMs: 1_000,
    link: 'online',
    linkSince: null,
    linkReason: null,
    bdSeq: null,
    clockSynchronised: true,
    lastMessageAt: null,
    signal: null,
    model: null,
    firmware: null,
    firmwareAt: null,
    devices: new Map(),
  },
  controllerId: 'bench',
  name: 'bench',
  family: breaker,
  model: '3PN',
  lines: new Map(),
}
