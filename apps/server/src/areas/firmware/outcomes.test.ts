import { expect, test } from 'vitest'
import { newGateway, Plant } from '../../plant/plant.ts'
import type { StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import { outcomeAudit } from './outcomes.ts'

const project = { id: 1, cityId: 1, ownerId: 'anna', name: 'p', timeZone: 'UTC', standard: 'GB' } as const
const upgrade = { gatewayId: 7, campaignId: 2, state: 'success', reason: null, former: null } as StoredUpgrade

test('how an upgrade ended stands in the log of whose gateway it is, and of a gateway that is gone in the platform’s', () => {
  const plant = new Plant()
  const audited = () => outcomeAudit(upgrade, undefined, plant, 5).map(({ actor, subject, tenant }) => [actor, subject, tenant])
  expect(audited()).toEqual([['system', { kind: 'gatewayId', id: '7' }, null]])
  plant.addGateway(newGateway({ id: 7, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 }))
  expect(audited()).toEqual([['system', { kind: 'gateway', id: 'G', gatewayId: 7 }, 'anna']])
})
