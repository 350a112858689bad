import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { PlantDevice } from '../live/plant.ts'
import { newLine, unheardGateway } from '../live/plant.ts'
import { factsOf } from './facts.ts'

const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' } as const

function lineOf(family: string) {
  const found = familyOf(family)
  if (!found) throw new Error(`no family ${family}`)
  const gateway = unheardGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 })
  const device = { id: 1, gateway, controllerId: 'D', name: 'd', family: found, model: '', ownTags: [], lines: new Map() }
  return newLine(1, device as unknown as PlantDevice, 1, 'l', null)
}
const near = { reach: 'yes', quietUntil: null } as const

test.each(['notDone', 'running', 'passed', 'failed'] as const)(
  'a self-test that the breaker calls %s is told as that',
  (said) => {
    const line = lineOf('breaker3p')
    line.states.set('selfTest', said)
    expect(factsOf(line, near).selfTest).toBe(said)
  },
)

test('a self-test measured as failed has failed, whatever the breaker calls it, and one nobody told is not known', () => {
  const line = lineOf('breaker3p')
  expect(factsOf(line, near).selfTest).toBeNull()
  line.states.set('selfTest', 'passed')
  line.selfTest = { at: 1, result: 'failed', tripMs: 900 }
  expect(factsOf(line, near).selfTest).toBe('failed')
})
