import { createHash } from 'node:crypto'
import { photoHashOf } from '@linewarden/client'
import { acceptWorkOrders, insertInspectionPlan, insertWorkOrder, processWorkOrder } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { jpegPhoto } from '@linewarden/server/test-photos'
import { expect } from 'vitest'
import type { Killed, OwnDatabase, Person } from './killed-house.ts'
import { asked, pointsOf, rowsOf, startKilledHouse } from './killed-house.ts'
import type { RoundHouse, Sent } from './phone-on-round.ts'
import { PhoneOnRound } from './phone-on-round.ts'

// What an order and a round go through while something is killed, and what must stand in the end: it follows from what people and phones
// themselves know that they sent.

export interface WorkHouse extends RoundHouse {
  readonly electrician: Person & { readonly id: string }
}

/** A server in a process of its own, with somebody who carries out orders and walks rounds, and a plan that is due each day. */
export async function startWorkHouse(database: OwnDatabase, dataDir: string): Promise<WorkHouse> {
  const who = { userName: '13700000001', password: 'Duty-7391' }
  let id = ''
  const house = await startKilledHouse(database, dataDir, async ({ accounts }, projectId) => {
    const privileges = ['hazard', 'hazard.workorder', 'hazard.patrol']
    const roleId = await accounts.createRole({ number: '1', name: '电工', privileges, buttons: [] })
    id = await accounts.createAccount({ ...who, kind: 'sub', roleId, projectIds: [projectId] })
  })
  const work = { ...house, electrician: { ...who, id } }
  const plan = {
    ...{
      HouseID: house.projectId,
      Name: '每日巡检',
      Kind: 'onSite' as const,
      Stops: [{ Place: '配电间' }],
      LeftOut: [],
      OwnItems: [],
    },
    ...{
      Signature: 'none' as const,
      PhotoOn: 'never' as const,
      Cycle: { Every: 1, Unit: 'day' as const },
      CountsFrom: 'plan' as const,
    },
    ...{ FirstDue: localDay(house.server.now()), WindowDays: { Before: 0, After: 0 }, Assignees: [], Enabled: true },
  }
  await asked(work, (client) => client.call(insertInspectionPlan, { body: plan }))
  return work
}

/** One order with its notices and its reminder, one round by phone with photos, and what is due of a day, with kills in each. */
export async function workRound(house: WorkHouse, random: () => number, killed: Killed): Promise<void> {
  const OrderID = await orderReminded(house, random, killed)
  await roundOfPhone(house, random, killed)
  await dueOfDay(house, random, killed)
  expect(await noticesOf(house, OrderID)).toEqual(['order.dispatched', 'order.notProcessed', 'order.processed'])
  expect(await broken(house)).toEqual([])
}

/** Nobody is there from one noon to the next: a reminder and a due round happen once, on return, with their own time. */
export async function dueWhileAway(house: WorkHouse): Promise<void> {
  const { server } = house
  const OrderID = await ordered(house, async (work) => void (await work()))
  const today = localDay(server.now())
  await server.end()
  await server.ahead(dayMs)
  await server.start()
  await expect.poll(() => noticesOf(house, OrderID), patient).toEqual(['order.dispatched', 'order.notProcessed'])
  const [due] = await rowsOf<{ hour: number; day: string }>(
    house,
    `select extract(hour from raised_at at time zone 'Asia/Shanghai')::int as hour,
       to_char(raised_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day
     from event where order_id = $1 and key = 'order.notProcessed'`,
    [OrderID],
  )
  expect(due).toEqual({ hour: 9, day: localDay(server.now()) })
  await dueIsMade(house)
  expect(
    await rowsOf(house, `select state from inspection_round where plan_id is not null and due_day = $1`, [dayOf(today)]),
  ).toEqual([{ state: 'lapsed' }])
  expect(await broken(house)).toEqual([])
}

/** What happens by itself comes with the server's own looks, some of them once a minute. */
const patient = { timeout: 120_000 }

const localDay = (at: number): string => new Date(at + 8 * hourMs).toISOString().slice(0, 10)
const dayOf = (day: string): number => Date.parse(day) / dayMs

async function ordered(
  house: WorkHouse,
  killedAt: (work: () => Promise<unknown>, isDone: () => Promise<boolean>) => Promise<void>,
) {
  const { projectId, electrician } = house
  const body = {
    ...{
      HouseID: projectId,
      ActID: crypto.randomUUID(),
      Type: 'repair' as const,
      Title: '',
      Description: '查明原因',
      Dispatch: true,
    },
    ...{ Priority: 'medium' as const, PersonInCharge: electrician.id, ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false },
  }
  const insert = async () => (await asked(house, (client) => client.call(insertWorkOrder, { body }))).Order.OrderID
  const dispatched = `select count(*)::int as count from event where key = 'order.dispatched'`
  const before = await countOf(house, dispatched)
  await killedAt(insert, async () => (await countOf(house, dispatched)) > before)
  // The same act again: it answers with the order that it made.
  const OrderID = await insert()
  await expect.poll(() => noticesOf(house, OrderID), patient).toEqual(['order.dispatched'])
  return OrderID
}

async function orderReminded(house: WorkHouse, random: () => number, killed: Killed): Promise<number> {
  const { server, electrician } = house
  const pointOf = pointsOf(random)
  const OrderID = await ordered(house, (work, isDone) => killed(pointOf('work_order', 25), work, isDone))
  const [{ version: Version = 0 } = {}] = await rowsOf<{ version: number }>(
    house,
    'select version from work_order where order_id = $1',
    [OrderID],
  )
  // Nine o'clock of the next day is gone.
  await killed(
    pointOf('work_order_due', 15),
    () => server.ahead(dayMs),
    async () => (await noticesOf(house, OrderID)).includes('order.notProcessed'),
  )
  await expect.poll(() => noticesOf(house, OrderID), patient).toEqual(['order.dispatched', 'order.notProcessed'])
  const body = { OrderID, Version, ActID: crypto.randomUUID(), Cause: '端子松动', Done: '紧固' }
  const process = () => asked(house, (client) => client.call(processWorkOrder, { body }), electrician)
  const steps = `select count(*)::int as count from work_order_step where order_id = ${OrderID} and to_status = 'processed'`
  await killed(pointOf('work_order', 20), process, async () => (await countOf(house, steps)) > 0)
  const order = await process()
  expect([order.Status, await countOf(house, steps)]).toEqual(['processed', 1])
  await expect.poll(async () => (await noticesOf(house, OrderID)).at(-1), patient).toBe('order.processed')
  const accepted = {
    ...{ ActID: crypto.randomUUID(), Orders: [{ OrderID, Version: order.Version }] },
    Unverified: '无法自动验证',
  }
  await asked(house, (client) => client.call(acceptWorkOrders, { body: accepted }))
  return OrderID
}

/** A phone sends again what nobody answered, and knows what it sent. */
async function roundOfPhone(house: WorkHouse, random: () => number, killed: Killed): Promise<void> {
  const pointOf = pointsOf(random)
  const phone = new PhoneOnRound(house)
  const count = (sql: string) => countOf(house, `select count(*)::int as count from ${sql}`, [phone.roundId])
  const isThere = (sql: string) => async () => (await count(sql)) > 0
  await killed(pointOf('inspection_round', 10), phone.start, isThere('inspection_round where round_id = $1'))
  await phone.start()
  const photos = [jpegPhoto({ bytes: 300_000 }), jpegPhoto({ bytes: 40_000 })]
  const first = await phone.answersWith({ Result: 'defect', Note: '潮湿', Photos: photos.map(photoHashOf) })
  const isStored = (rev: number, answers: readonly Sent[]) => async () =>
    (await count(`inspection_answer where round_id = $1 and rev = ${rev}`)) === answers.length
  await killed(pointOf('inspection_', 25), () => phone.send(first), isStored(1, first))
  await phone.send(first)
  for (const photo of photos) {
    const isUsed = isThere(`photo_use where owner_id = $1 and sent_hash = '${photoHashOf(photo)}'`)
    await killed(pointOf('photo', 12), () => phone.sendPhoto(photo), isUsed)
    await phone.sendPhoto(photo)
  }
  // The last item was looked at once more.
  const changed = await phone.again(first.slice(-1), '复查')
  await killed(pointOf('inspection_', 20), () => phone.send(changed), isStored(2, changed))
  await phone.send(changed)
  const isFinished = isThere(`inspection_round where round_id = $1 and state = 'finished'`)
  await killed(pointOf('inspection_|hazard', 40), phone.finish, isFinished)
  expect(await phone.finish()).toMatchObject({ State: 'finished', Defects: 1, PhotosMissing: 0 })
  expect(comparable((await phone.details()).Answers)).toEqual(comparable([...first.slice(0, -1), ...changed]))
  for (const photo of photos)
    expect(
      createHash('sha256')
        .update(await phone.photo(photo))
        .digest('hex'),
    ).toBe(photoHashOf(photo))
  expect(await count('inspection_answer where round_id = $1')).toBe(first.length + changed.length)
  expect(await count('inspection_sheet where round_id = $1')).toBe(1)
  expect(await count(`hazard_source where source_id like $1 || '%'`)).toBe(1)
  expect(await count('photo_use where owner_id = $1')).toBe(photos.length)
}

/** Answers, in an order that does not matter. */
const comparable = (answers: readonly Pick<Sent, 'StopID' | 'ItemID' | 'Rev' | 'Result' | 'Note' | 'Photos'>[]): string[] =>
  answers
    .map(({ StopID, ItemID, Rev, Result, Note, Photos }) => JSON.stringify([StopID, ItemID, Rev, Result, Note, Photos]))
    .toSorted()

/** The round that is due today is made once, and that of the day before lapses once. */
async function dueOfDay(house: WorkHouse, random: () => number, killed: Killed): Promise<void> {
  const look = () => house.server.order({ do: 'inspect' })
  await killed(pointsOf(random)('inspection_|hazard', 30), look, () => madeToday(house))
  await dueIsMade(house)
}

/** Whoever was killed may still hold its claim: the next look makes it. */
const dueIsMade = (house: WorkHouse) =>
  expect.poll(async () => (await house.server.order({ do: 'inspect' })) && madeToday(house), patient).toBe(true)

const madeToday = async (house: WorkHouse): Promise<boolean> =>
  (await countOf(
    house,
    `select count(*)::int as count from inspection_round where plan_id is not null and due_day = ${dayOf(localDay(house.server.now()))}
     and not exists (select from inspection_round late where late.state = 'planned' and late.lapses_at < to_timestamp(${house.server.now() / 1_000}))`,
  )) > 0

async function noticesOf(house: WorkHouse, orderId: number): Promise<string[]> {
  const rows = await rowsOf<{ key: string }>(house, 'select key from event where order_id = $1 order by event_id', [orderId])
  return rows.map(({ key }) => key)
}

const countOf = async (house: WorkHouse, sql: string, values: readonly unknown[] = []): Promise<number> =>
  (await rowsOf<{ count: number }>(house, sql, values))[0]?.count ?? 0

/** Laws of the whole database: what breaks one is named. */
async function broken(house: WorkHouse): Promise<string[]> {
  const rows = await rowsOf<{ what: string }>(
    house,
    `
    select 'notice twice ' || min(event_id) as what from event where kind = 'order'
      group by order_id, key, for_account, raised_at having count(*) > 1
    union all select 'act twice ' || min(step_id) from work_order_step where act_id is not null group by order_id, act_id having count(*) > 1
    union all select 'due twice ' || due_day from inspection_round where plan_id is not null group by plan_id, due_day having count(*) > 1
    union all select 'day left out after ' || due_day from (
        select due_day, lead(due_day) over (partition by plan_id order by due_day) as next from inspection_round where plan_id is not null) as days
      where next > due_day + 1
    union all select 'lapsed without a hazard ' || round_id from inspection_round where state = 'lapsed'
      and not exists (select from hazard_source where source_id = round_id::text)
    union all select 'photo without its bytes ' || use_id from photo_use where not exists (
      select from photo_content where photo_content.hash = photo_use.hash)`,
  )
  return rows.map(({ what }) => what)
}
