import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { dispatchWorkOrders, queryWorkOrders, tree, workOrderPeople } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import { full, ownerName, password, seedOrganisation, subName } from './lists-seed.ts'
import { report } from './report.ts'
import { lastNine, seedOrders } from './work-orders-seed.ts'

const targets = { listP95Ms: 200, boardP95Ms: 200, remindersMs: 30_000, remindedTwice: 0, notReminded: 0, dispatch200Ms: 1_000 }

/**
 * A hundred thousand work orders: the list in each order and with each filter, and the board, as the installation, an administrator and a
 * sub-user ask; reminders that are due at the same nine o’clock; and two hundred orders dispatched by one press.
 */
export async function workorders(options: { orders?: number; reminders?: number; rounds?: number }): Promise<void> {
  const [orders, reminders, rounds] = [options.orders ?? 100_000, options.reminders ?? 5_000, options.rounds ?? 20]
  const part = 0.05
  const size = {
    ...full,
    projects: full.projects * part,
    gateways: full.gateways * part,
    lines: full.lines * part,
    users: full.users * 0.2,
  }
  const target = await field([], 18_540, {
    async seed(server) {
      await seedOrganisation(server, size)
      await seedOrders(server, orders)
    },
  })
  const client = await target.database()
  try {
    const figures = {
      ...(await lists(target, rounds)),
      ...(await dueAtNine(client, reminders)),
      ...(await dispatched(target, client)),
    }
    const isKept = ([name, most]: [string, number]) => ((figures as Readonly<Record<string, unknown>>)[name] as number) <= most
    report('workorders', { orders, ...figures, targets, verdict: Object.entries(targets).every(isKept) })
  } finally {
    await client.end()
    await target.close()
  }
}

type Query = Request<typeof queryWorkOrders>['body']

async function lists(target: Field, rounds: number) {
  const people = {
    platform: await signedIn(target.url, target.admin),
    owner: await signedIn(target.url, { userName: ownerName(0), password }),
    sub: await signedIn(target.url, { userName: subName(0), password }),
  }
  const times: { readonly what: string; readonly isBoard: boolean; readonly p95: number }[] = []
  for (const [who, client] of Object.entries(people)) {
    const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
    const HouseID = Groups.flatMap(({ Houses }) => Houses)[0]?.HouseID ?? 0
    const asked: readonly Query[] = [
      ...([{}, { Sort: 'Number' }, { Sort: '-Priority' }, { Sort: '-CreatedAt' }, { Sort: 'Status' }, { Page: 40 }] as const),
      ...([{ View: 'mine' }, { View: 'overdue' }, { View: 'watching' }, { View: 'toAccept' }] as const),
      ...[
        { Text: '777' },
        { HouseID },
        { Priority: 'critical' as const },
        { Status: 'accepted' as const },
        { Type: 'repair' as const },
      ],
    ]
    for (const body of asked)
      times.push({ what: `${who} ${JSON.stringify(body)}`, isBoard: false, p95: await p95Of(rounds, () => list(client, body)) })
    const board = () => list(client, { Board: true })
    times.push({ what: `${who} board`, isBoard: true, p95: await p95Of(rounds, board) })
  }
  times.sort((one, other) => other.p95 - one.p95)
  const max = (isBoard: boolean) => Math.max(...times.flatMap((each) => (each.isBoard === isBoard ? each.p95 : [])))
  return {
    ...{ listP95Ms: max(false), boardP95Ms: max(true) },
    worst: times.slice(0, 8).map(({ what, p95 }) => `${what}: ${p95}`),
  }
}

const list = (client: Client, body: Query) => client.call(queryWorkOrders, { body: { Size: 50, ...body } })

async function p95Of(rounds: number, ask: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let i = -1; i < rounds; i++) {
    const began = performance.now()
    await ask()
    if (i >= 0) took.push(performance.now() - began)
  }
  return Math.round(percentile(took, 0.95))
}

/** Orders that were dispatched two days before nine o’clock are due at it, all in one moment. */
async function dueAtNine(client: pg.Client, reminders: number) {
  const nine = lastNine(Date.now())
  const { rows } = await client.query<{ order_id: number }>(
    `update work_order set created_at = $1, overdue_at = $3, clock = jsonb_set(jsonb_set(clock, '{respondFrom}', to_jsonb($2::bigint)), '{resolveFrom}', to_jsonb($2::bigint))
     where order_id in (select order_id from work_order where status = 'dispatched' and priority <> 'critical' order by order_id limit $4)
     returning order_id`,
    [new Date(nine - 2 * dayMs), nine - 2 * dayMs, new Date(nine + 30 * dayMs), reminders],
  )
  const ids = rows.map(({ order_id }) => order_id)
  const began = performance.now()
  await client.query(`update work_order_due set due_at = $1 where why = 'reminder' and order_id = any($2)`, [new Date(nine), ids])
  const sent = async () =>
    (
      await client.query<{ events: number; orders: number; announced: number }>(
        `select count(*)::int as events, count(distinct order_id)::int as orders,
           (select count(*)::int from announcement join event using (event_id) where for_account is not null) as announced
         from event where order_id = any($1) and raised_at = $2 and key = 'order.notProcessed'`,
        [ids, new Date(nine)],
      )
    ).rows[0] ?? { events: 0, orders: 0, announced: 0 }
  let now = await sent()
  const until = began + 60_000
  while (now.orders < ids.length && performance.now() < until) {
    await wait(100)
    now = await sent()
  }
  const remindersMs = Math.round(performance.now() - began)
  // Whatever would be sent once more is sent by now.
  await wait(3_000)
  const after = await sent()
  return {
    reminders: ids.length,
    remindersMs,
    remindedTwice: after.events - after.orders,
    notReminded: ids.length - after.orders,
  }
}

/** By an administrator, to somebody of theirs, who sees all of their projects. */
async function dispatched(target: Field, client: pg.Client) {
  const owner = await signedIn(target.url, { userName: ownerName(0), password })
  const took: number[] = []
  for (let round = 0; round < 3; round++) {
    const { rows } = await client.query<{ OrderID: number; Version: number; project_id: number }>(
      `select order_id as "OrderID", work_order.version as "Version", project_id from work_order
       join project using (project_id) join account on account.account_id = project.owner_id
       where status = 'undispatched' and user_name = $1 order by order_id limit 200`,
      [ownerName(0)],
    )
    const [first] = rows
    if (!first) break
    const { items } = await owner.call(workOrderPeople, { query: { HouseID: first.project_id } })
    const body = {
      ActID: crypto.randomUUID(),
      Orders: rows.map(({ OrderID, Version }) => ({ OrderID, Version })),
      PersonInCharge: items.find(({ Name }) => Name.startsWith('用户'))?.AccountID ?? '',
    }
    const began = performance.now()
    const done = await owner.call(dispatchWorkOrders, { body })
    took.push(((performance.now() - began) * 200) / rows.length)
    const refused = done.items.filter(({ Refusal }) => Refusal !== null)
    if (refused.length > 0) throw new Error(`${refused.length} orders were not dispatched: ${refused[0]?.Refusal?.Key}`)
  }
  return { dispatch200Ms: Math.round(Math.max(...took)) }
}
