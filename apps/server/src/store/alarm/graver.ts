import { alarmAfter, isSilent } from '@linewarden/rules/alarm'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../core/schema.ts'
import type { EventDraft } from '../ingest/batch.ts'
import { conditionOf, dateOf } from './step.ts'

type EventRow = Selectable<Schema['event']>

/**
 * Makes an open event graver: another priority, value and limit. Whoever acknowledged it as what it was has not seen what it is: it waits
 * for somebody again. Null: it is not open any more. `isNew`: it calls for somebody, and is to be announced.
 */
export async function makeGraver(
  client: pg.ClientBase,
  { gateway, device, line, key, point, priority, value, limit, unit, at }: EventDraft,
): Promise<{ readonly row: EventRow; readonly isNew: boolean } | null> {
  const { rows } = await client.query<EventRow>(
    `select * from event where gateway_id = $1 and coalesce(line_id, 0) = $2 and key = $3 and coalesce(point, '') = $4
       and coalesce(device_id, 0) = $5 and state in ('active', 'acknowledged') and not historical for update`,
    [gateway.id, line?.id ?? 0, key, point ?? '', device?.id ?? 0],
  )
  const open = rows[0]
  if (!open?.state) return null
  const next = alarmAfter(conditionOf({ ...open, state: open.state }), open.priority, { act: 'expire', at })
  const isForgotten = next.state !== open.state
  const announces = !isSilent(next, at)
  const { rows: made } = await client.query<EventRow>(
    `update event set priority = $2, value = $3, limit_value = $4, unit = $5, state = $6, acknowledged_until = $7,
       acknowledged_at = case when $8 then null else acknowledged_at end, acknowledged_by = case when $8 then null else acknowledged_by end,
       announced = announced + $9
     where event_id = $1 returning *`,
    [open.event_id, priority, value, limit, unit, next.state, dateOf(next.acknowledgedUntil), isForgotten, announces ? 1 : 0],
  )
  if (isForgotten)
    await client.query(
      `insert into event_transition (event_id, at, act, from_state, to_state, value, limit_value, announced)
       values ($1, $2, 'expire', $3, $4, $5, $6, $7)`,
      [open.event_id, new Date(at), open.state, next.state, value, limit, announces],
    )
  const row = made[0]
  return row ? { row, isNew: announces } : null
}
