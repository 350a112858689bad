import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { newDevice, newGateway, newLine } from '../../plant/plant.ts'
import type { LineSource } from '../../store/health/source.ts'
import { healthFacts } from './facts.ts'

const family = familyOf('breaker3p')
if (!family) throw new Error('no family')
const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' as const }
const gateway = newGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 10_000 })
const device = newDevice({ id: 1, gateway, controllerId: 'D', name: 'd', family, model: '3PN' })

const days = { days: 30, onlineS: 86_400, knownMin: 0, outsideMin: 0, unbalance2Min: 0, unbalance4Min: 0, i95A: [] }
const source: LineSource = {
  ...{ days, residualMa: new Float32Array(), hottestC: null, look: null, findings: [], trips: 0, supplyFaults: 0, arcAlarms: 0 },
  ...{ overdueOrders: 0, ordered: new Map(), plan: null },
}

test.each<[string, number | null, Partial<LineSource>, number | null]>([
  ['that was never looked at', 63, { look: null }, null],
  ['that opened', 63, { look: { isEvaluated: true, wear: 0.2, openings: 40 } }, 0.2],
  ['that was heard and never opened', 63, { look: { isEvaluated: true, wear: 0, openings: 0 } }, 0],
  ['that was never heard', 63, { look: { isEvaluated: true, wear: 0, openings: 0 }, days: null }, null],
  ['of which openings were not counted', 63, { look: { isEvaluated: true, wear: 0, openings: 3 } }, null],
  ['whose rated current nobody knows', null, { look: { isEvaluated: true, wear: 0.2, openings: 40 } }, null],
])('wear of a line %s', (_, ratedA, more, expected) => {
  const line = newLine(1, device, 1, 'l', ratedA)
  const { wearShare } = healthFacts(line, { source: { ...source, ...more }, life: undefined, withdrawn: new Set(), now: 0 })
  expect(wearShare).toBe(expected)
})
