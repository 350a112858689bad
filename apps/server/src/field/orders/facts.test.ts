import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { PlantDevice } from '../../plant/plant.ts'
import { newGateway, newLine } from '../../plant/plant.ts'
import { factsOf } from './facts.ts'

const project = { id: 1, cityId: 1, ownerId: null, name: 'p', timeZone: 'UTC', standard: 'GB' } as const

function lineOf(family: string) {
  const found = familyOf(family)
  if (!found) throw new Error(`no family ${family}`)
  const gateway = newGateway({ id: 1, project, number: 'G', name: 'g', reportingPeriodMs: 1_000 })
  const device = { id: 1, gateway, controllerId: 'D', name: 'd', family: found, model: '', ownTags: [], lines: new Map() }
  return newLine(1, device as unknown as PlantDevice, 1, 'l', null)
}
const near = { reach: 'yes', quietUntil: null } as const

test.each(['notDone', 'running', 'passed', 'failed'] as const)(
  'a self-test that the breaker calls %s is told as that',
  (reported) => {
    const line = lineOf('breaker3p')
    line.states.set('selfTest', reported)
    expect(factsOf(line, near).selfTest).toBe(reported)
  },
)

test('a self-test measured as failed has failed, whatever the breaker calls it, and one nobody told is not known', () => {
  const line = lineOf('breaker3p')
  expect(factsOf(line, near).selfTest).toBeNull()
  line.states.set('selfTest', 'passed')
  line.selfTest = { at: 1, result: 'failed', tripMs: 900 }
  expect(factsOf(line, near).selfTest).toBe('failed')
})

test.each(['quiet', 'sounding'] as const)(
  'a sounder that the detector calls %s is told as that; a breaker has none',
  (reported) => {
    const line = lineOf('smoke')
    expect(factsOf(line, near).sounder).toBeNull()
    line.states.set('sounder', reported)
    expect(factsOf(line, near).sounder).toBe(reported)
    expect(factsOf(lineOf('breaker3p'), near).sounder).toBe('absent')
  },
)

test.each(['on', 'off'] as const)('a local lock that is told %s is told as that; a detector has none', (reported) => {
  const line = lineOf('breaker3p')
  expect(factsOf(line, near).localLock).toBeNull()
  line.states.set('lock.local', reported)
  expect(factsOf(line, near).localLock).toBe(reported)
  expect(factsOf(lineOf('smoke'), near).localLock).toBe('absent')
})

test.each(['open', 'closed'] as const)('a position that is reported %s is told as that, and nothing else is one', (reported) => {
  const line = lineOf('breaker3p')
  expect([factsOf(line, near).position, factsOf(line, near).switches]).toEqual([null, true])
  line.states.set('position', reported)
  expect(factsOf(line, near).position).toBe(reported)
  line.states.set('position', 'between')
  expect(factsOf(line, near).position).toBeNull()
})

const at = Date.UTC(2026, 0, 15)
test.each([
  ['its times are near ours and the gateway says nothing of its clock', at, at, null, true],
  ['and the gateway calls it synchronised', at, at, true, true],
  ['the gateway calls it not synchronised', at, at, false, false],
  ['its times are an hour from ours', at - 3_600_000, at, true, false],
  ['nothing was measured yet', null, null, true, false],
  ['it is not known when the measurement came', at, null, true, false],
  ['it is not known of when the measurement is', null, at, true, false],
] as const)('whether a clock is good when %s', (_, liveAt, liveReceivedAt, clockSynchronised, good) => {
  const line = lineOf('breaker3p')
  Object.assign(line, { liveAt, liveReceivedAt })
  Object.assign(line.device.gateway, { clockSynchronised })
  expect(factsOf(line, near).clockGood).toBe(good)
})

test.each([
  ['only the plant knows, for the database refused it', 'short', null],
  ['only the database knows, for another server stored it', null, { cause: 'short', sequence: 3 }],
] as const)('a trip whose lock-out %s is one whose cause nobody recorded', (_, known, stored) => {
  const line = lineOf('breaker3p')
  line.lockoutCause = known
  const applied = { inspectionUntil: null, tags: [], lockout: stored, failedTest: null }
  expect(factsOf(line, near, applied)).toMatchObject({ tripCause: 'short', tripCauseRecorded: false })
  line.lockoutCause = null
  expect(factsOf(line, near, { ...applied, lockout: null }).tripCauseRecorded).toBe(true)
})
