import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PlantGateway } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { testLines } from '../control/test-lines.ts'
import { LinkageHandovers } from './linkage-handovers.ts'
import { newLiveLinkage } from './linkage-state.ts'

const now = Date.UTC(2026, 10, 24, 8)
let house: Awaited<ReturnType<typeof testLines>>
let joined: string[][]
let handovers: LinkageHandovers
beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())

/** Reads the line of one of the gateways. */
const linkageOf = (project: 1 | 2) =>
  ({
    ...{ linkageId: project, projectId: gateway(project).project.id, version: 1, match: 'any' },
    conditions: [{ kind: 'point', lineId: house.line(1, project).id, key: 'current.a', op: '>', value: 50, release: 5, forS: 0 }],
  }) as unknown as StoredLinkage

/** `also`: what happens once some are joined. */
function begin(also: () => void = () => {}): void {
  joined = []
  const live = new Map(
    ([1, 2] as const).map((each) => [each, newLiveLinkage(house.plant, linkageOf(each), { kept: null, before: null }, now)]),
  )
  handovers = new LinkageHandovers(
    { database: house.database, clock: () => now, log: undefined as never },
    {
      ...{ live, closing: new AbortController().signal },
      joined(gateways) {
        joined.push([...gateways].map(({ number }) => number))
        also()
      },
    },
  )
}
beforeEach(() => begin())

const gateway = (project: 1 | 2 = 1) => house.line(1, project).device.gateway
/** It begins a session. */
const comes = (which: PlantGateway, bdSeq: number) => Object.assign(which, { link: 'online', linkSince: now, bdSeq })

test('a gateway that comes back while what is stored is read is read once more, and waited for by whom it was begun', async () => {
  comes(gateway(), 1)
  const release = await house.lock('lock table linkage_state')
  const reading = handovers.join(gateway())
  await house.waiting(1)
  expect(handovers.join(gateway())).toBeNull()
  comes(gateway(), 2)
  await release()
  await reading
  expect(handovers.isJoined(gateway())).toBe(true)
  expect(joined).toEqual([['gp1']])
})

test('what comes while others are read is read after them', async () => {
  comes(gateway(), 1)
  comes(gateway(2), 1)
  const release = await house.lock('lock table linkage_state')
  const reading = handovers.join(gateway())
  await house.waiting(1)
  expect(handovers.join(gateway(2))).toBeNull()
  await release()
  await reading
  expect(joined).toEqual([['gp1'], ['gp2']])
})

test.each([0, 1, 2, 3, 4, 5])('one that comes %i turns after the last was joined is read as well', async (turns) => {
  comes(gateway(), 1)
  comes(gateway(2), 1)
  let isOver = false
  begin(async () => {
    if (isOver) return
    isOver = true
    for (let turn = 0; turn < turns; turn++) await undefined
    handovers.join(gateway(2))
  })
  await handovers.join(gateway())
  await expect.poll(() => joined).toEqual([['gp1'], ['gp2']])
})
