import { randomUUID } from 'node:crypto'
import { minuteMs } from '@linewarden/equipment'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noteOrders } from '../../store/automation/linkage-order.ts'
import type { TestDatabase } from '../../store/core/test-database.ts'
import { testDatabase } from '../../store/core/test-database.ts'
import { loadPlant } from '../../store/plant/plant.ts'
import { insertTestLine } from '../../store/plant/test-line.ts'
import { createLinkageOrders } from './linkage-orders.ts'
import { createOrderAccess } from './order-access.ts'

// What a firing asks for is not held up by what others asked for and that cannot be made.
const start = Date.UTC(2026, 0, 10)
/** More than one look takes. */
const many = 55
let house: TestDatabase
let now: number
let errors: unknown[]
let place: { project_id: number; line_id: number; linkage_id: number }
/** Whose rights cannot be read, and why; null: they can, and the account is gone. */
let broken: { readonly accountId: string; why: string | null }

beforeEach(async () => {
  house = await testDatabase()
  now = start
  errors = []
  const line = await insertTestLine(house.database)
  const { general } = house.database
  const linkage = await general
    .insertInto('linkage')
    .values({
      ...{ project_id: line.project_id, name: '过流派单', enabled: true, mode: 'live', match: 'all', active_hours: '[]' },
      ...{ cooldown_s: 60, max_per_hour: 6, max_per_day: 24, may_close: false, owner_name: '' },
      ...{ changed_at: new Date(start), changed_by: '' },
    })
    .returning('linkage_id')
    .executeTakeFirstOrThrow()
  place = { ...line, ...linkage }
  const account = await general
    .insertInto('account')
    .values({ user_name: 'boss', kind: 'project', password_hash: '' })
    .returning('account_id')
    .executeTakeFirstOrThrow()
  broken = { accountId: account.account_id, why: 'rights cannot be read' }
})
afterEach(() => house?.drop())

async function serve() {
  const { database } = house
  const plant = await loadPlant(database)
  const log = { error: ({ err }: { err: unknown }) => errors.push(err) } as never
  const [hub, photos] = [{ publish: () => {} } as never, {} as never]
  const actorNow = async (accountId: string) => {
    if (accountId === broken.accountId && broken.why !== null) throw new Error(broken.why)
    return null
  }
  const deps = { database, plant, log, hub, photos, clock: () => now, actorNow }
  return createLinkageOrders(deps, createOrderAccess(deps))
}

/** A firing at an instant that asks for an order in the name of somebody. */
async function asked(ownerId: string | null, at: number): Promise<void> {
  const firing = randomUUID()
  await house.database.general.transaction().execute(async (trx) => {
    await trx
      .insertInto('automation_run')
      .values({
        ...{ run_id: firing, source: 'linkage', source_id: place.linkage_id, project_id: place.project_id, name: '过流派单' },
        ...{ claimed_at: new Date(at), ended_at: new Date(at), state: 'done', actor: '', trace: '{}' },
      })
      .execute()
    const linkage = { linkageId: place.linkage_id, projectId: place.project_id, name: '过流派单', ownerId }
    const order = { title: '', priority: 'high' as const, personId: null, personName: '' }
    await noteOrders(trx, linkage as never, [{ lineId: place.line_id, order }], firing, at)
  })
}

const waiting = () =>
  house.database.general
    .selectFrom('linkage_order')
    .select(['outcome', 'failed', 'next_try_at'])
    .where('outcome', 'is', null)
    .execute()
const decided = async () =>
  (await house.database.general.selectFrom('linkage_order').select('why').where('outcome', 'is not', null).execute()).length

test('orders that keep failing stand behind the others, say why, and are logged once for each reason', async () => {
  for (let nth = 0; nth < many; nth++) await asked(broken.accountId, start - minuteMs + nth)
  await asked(null, start)
  const server = await serve()
  await server.look()
  await server.look()
  expect(await decided()).toBe(1)
  const failed = { outcome: null, failed: 'rights cannot be read', next_try_at: new Date(start + minuteMs) }
  expect(await waiting()).toEqual(Array.from({ length: many }, () => failed))
  expect(errors).toHaveLength(many)

  // None is tried before its time, and the same again is no news.
  await server.look()
  now += minuteMs
  await server.look()
  await server.look()
  expect(errors).toHaveLength(many)
  expect((await waiting()).map(({ next_try_at }) => next_try_at?.getTime())).toEqual(
    Array.from({ length: many }, () => now + minuteMs),
  )

  // What comes meanwhile goes before what is due again.
  now += minuteMs
  broken.why = 'another reason'
  await asked(null, now)
  await server.look()
  expect(await decided()).toBe(2)
  await server.look()
  expect(errors).toHaveLength(2 * many)

  now += minuteMs
  broken.why = null
  await server.look()
  await server.look()
  expect(await decided()).toBe(many + 2)
  expect(
    await house.database.general.selectFrom('linkage_order').select('failed').where('failed', 'is not', null).execute(),
  ).toEqual([])
})
