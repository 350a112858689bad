import { aboutNothing } from '@linewarden/contract'
import { notReclosing } from '@linewarden/rules/control'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Hub } from '../../plant/hub.ts'
import { saveReclosure } from '../../store/control/reclosure.ts'
import { ReclosureStates } from './reclosure-states.ts'
import { testLines } from './test-lines.ts'

let house: Awaited<ReturnType<typeof testLines>>
beforeEach(async () => {
  house = await testLines()
})
afterEach(() => house?.drop())

test('what a second server stored of a line is known to the first once its own step came too late', async () => {
  const { database, plant, actor } = house
  const [line, at] = [house.line(1), Date.UTC(2026, 0, 15, 8, 30)]
  const setting = { lineId: line.id, enabled: true, delaysS: [10, 60], accountId: actor.accountId, actor: 'admin', version: 0 }
  const entry = { at, actor: 'admin', address: '', action: 'reclosure.set', subject: aboutNothing, target: 'x', outcome: 'done' }
  const saved = await saveReclosure(database, setting, entry as never)
  if (!saved) throw new Error('it was set before')
  const deps = { database, plant, hub: new Hub(() => {}) }
  const [first, second] = [await ReclosureStates.load(deps), await ReclosureStates.load(deps)]
  const locked = { ...notReclosing, lockedOutAt: at, lockedOutWhy: 'tries_used' as const }
  expect(await second.move(saved, locked)).toMatchObject({ state: locked })
  expect(await first.move(saved, { ...notReclosing, attempts: 1, nextAt: at + 10_000 })).toBeNull()
  expect(first.of(line.id)).toMatchObject({ state: locked })
})
