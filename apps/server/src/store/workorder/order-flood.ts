import { orderFloodKey, ruleOrdersPerHour } from '@linewarden/rules/workorder'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { announceIn } from '../alarm/announcement.ts'
import type { EventRow } from '../alarm/event.ts'
import type { EventStep } from '../alarm/step.ts'
import { writeSteps } from '../alarm/step.ts'
import type { Database } from '../core/database.ts'
import { inTransaction } from '../core/run.ts'
import type { Schema } from '../core/schema.ts'

const label = {
  zh: '自动派单超限，其余报警并入一张汇总工单',
  en: 'More orders by rules than an hour may have: the rest is in one summary',
}

/** The fault of a project that rules would have made more orders than an hour may have. Null: it is raised already. */
export async function raiseOrderFlood(trx: Kysely<Schema>, projectId: number, at: number): Promise<EventRow | null> {
  const { rows } = await sql<EventRow>`
    with raised as (
      insert into event (kind, priority, key, label_zh, label_en, state, project_id, raised_at, stored_at, announced)
      values ('fault', 'high', ${orderFloodKey}, ${label.zh}, ${label.en}, 'active', ${projectId}, ${new Date(at)}, ${new Date(at)}, 1)
      on conflict do nothing returning *
    ), noted as (
      insert into event_transition (event_id, at, act, to_state, announced)
      select event_id, raised_at, 'raise', state, true from raised
    )
    select * from raised`.execute(trx)
  const [row] = rows
  if (!row) return null
  await announceIn(trx, [{ eventId: row.event_id, why: 'raise' }], at)
  return row
}

/** Such faults return once an hour has room again. Answers them. */
export async function endOrderFloods({ general }: Database, now: number): Promise<readonly EventRow[]> {
  // Mostly there is none.
  const { rows: there } =
    await sql`select from event where key = ${orderFloodKey} and state in ('active', 'acknowledged') limit 1`.execute(general)
  if (there.length === 0) return []
  return general.transaction().execute(async (trx) => {
    const { rows } = await sql<EventStep['row']>`
      select * from event where key = ${orderFloodKey} and state in ('active', 'acknowledged') and (
        select count(*) from order_rule_event made where made.project_id = event.project_id and outcome = 'made'
          and at > ${new Date(now - 3_600_000)}) < ${ruleOrdersPerHour}
      for update skip locked`.execute(trx)
    return writeSteps(
      inTransaction(trx),
      rows.map((row) => ({ row, act: 'return', at: now, actor: null })),
    )
  })
}
