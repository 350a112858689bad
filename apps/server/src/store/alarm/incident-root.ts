import type { Priority, Text } from '@linewarden/equipment'
import { isAnnouncedAgain, isSilent, openAlarmStates, outageKey, platformAwayKey, supplyOffKey } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Run } from '../core/run.ts'
import type { EventRow } from './event.ts'
import type { FoldedIncident } from './fold-read.ts'
import type { EventStep } from './step.ts'
import { conditionOf, writeSteps } from './step.ts'

interface Made {
  readonly key: string
  readonly priority: Priority
  readonly label: Text
}

/** What the server raises where no alarm of the equipment tells of the cause. */
const made: { readonly [kind in 'outage' | 'upstreamTrip' | 'platform']: Made } = {
  outage: { key: outageKey, priority: 'high', label: { zh: '多台网关同时离线', en: 'Several gateways offline at once' } },
  upstreamTrip: {
    key: supplyOffKey,
    priority: 'high',
    label: { zh: '上级断开，下级失电', en: 'Upstream open, no supply below' },
  },
  platform: {
    key: platformAwayKey,
    priority: 'high',
    label: { zh: '平台中断后未恢复上报', en: 'Silent since the platform was interrupted' },
  },
}

const isMadeKind = (kind: string): kind is keyof typeof made => kind in made

type Placed = Pick<FoldedIncident, 'kind' | 'project_id' | 'gateway_id' | 'line_id'>

/**
 * Raises the event that shows for an incident, or once more if nobody has acknowledged it since; null: its kind has one of its own. What
 * hangs under a tag is out of service.
 */
export async function raiseRoot(
  run: Run,
  incident: Placed,
  at: number,
  now: number,
): Promise<{ readonly row: EventRow; readonly isNew: boolean } | null> {
  if (!isMadeKind(incident.kind)) return null
  const { key, priority, label } = made[incident.kind]
  const [known] = await run(sql<EventStep['row']>`
    select * from event where project_id = ${incident.project_id} and key = ${key} and not historical
      and coalesce(gateway_id, 0) = ${incident.gateway_id ?? 0} and coalesce(line_id, 0) = ${incident.line_id ?? 0}
      and state in (${sql.join(openAlarmStates.map((state) => sql.lit(state)))}) for update`)
  if (known && known.state !== 'returned') return { row: known, isNew: false }
  if (known) {
    const isNew = !isSilent(conditionOf(known), now)
    const [again] = await writeSteps(run, [{ row: known, act: 'raise', at, actor: null, isAnnounced: isNew }])
    return again ? { row: again, isNew } : null
  }
  const [row] = await run(sql<EventRow>`
    with tagged as (
      select from tag left join line on line.line_id = ${incident.line_id}
      where removed_at is null and ${incident.line_id}::int is not null
        and (tag.line_id = line.line_id or tag.device_id = line.device_id or tag.gateway_id = ${incident.gateway_id})
    ), raised as (
      insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at, suppressed, announced)
      values ('fault', ${priority}, ${key}, ${label.zh}, ${label.en}, 'active', ${incident.project_id}, ${incident.gateway_id},
        ${incident.line_id}, ${new Date(at)}, ${new Date(now)}, case when exists (select from tagged) then 'tag' end,
        case when exists (select from tagged) then 0 else 1 end)
      returning *
    ), noted as (
      insert into event_transition (event_id, at, act, to_state) select event_id, raised_at, 'raise', state from raised
    )
    select * from raised`)
  return row ? { row, isNew: row.suppressed === null } : null
}

/**
 * The root of an incident that goes on after it had returned unacknowledged: a new occurrence, which calls as any alarm that is raised again.
 * Null: it has not returned.
 */
export async function raiseRootAgain(
  run: Run,
  rootId: string,
  at: number,
  now: number,
): Promise<{ readonly row: EventRow; readonly isNew: boolean } | null> {
  const [row] = await run(sql<EventRow>`select * from event where event_id = ${rootId} for update`)
  if (row?.state !== 'returned') return null
  const known = { ...row, state: row.state }
  const lastRaisedAt = (row.raised_again_at ?? row.raised_at).getTime()
  const isNew = !isSilent(conditionOf(known), now) && isAnnouncedAgain(row.priority, lastRaisedAt, at)
  const [again] = await writeSteps(run, [{ row: known, act: 'raise', at, actor: null, isAnnounced: isNew }])
  return again ? { row: again, isNew } : null
}

/** The event that the server raised for an incident comes, goes, or goes on as an alarm of the equipment that came since. */
export async function stepRoot(
  run: Run,
  rootId: string,
  act: 'return' | 'raise' | 'merge',
  at: number,
): Promise<EventRow | null> {
  const [row] = await run(sql<EventRow>`select * from event where event_id = ${rootId} for update`)
  const { state } = row ?? { state: null }
  if (!row || state === null || state === 'normal') return null
  if (act === 'return' && state === 'returned') return null
  if (act === 'raise' && state !== 'returned') return null
  const [after] = await writeSteps(run, [{ row: { ...row, state }, act, at, actor: null }])
  return after ?? null
}
