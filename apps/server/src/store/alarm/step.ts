import type { AlarmCondition, AlarmStep } from '@linewarden/rules/alarm'
import { alarmAfter } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import type { Database } from '../core/database.ts'
import type { Run } from '../core/run.ts'
import type { EventRow } from './event.ts'
import { hasPhoto } from './photo.ts'

/** What is done to an event that somebody has locked. */
export interface EventStep extends AlarmStep {
  readonly row: EventRow & { readonly state: AlarmCondition['state'] }
  /** Null: time, or the server. */
  readonly actor: string | null
  readonly reason?: string
  readonly commentId?: string
  readonly isAnnounced?: boolean
  /** It was announced in this transaction, and now it is not to be. */
  readonly isUnannounced?: boolean
  /** Of a fold: into which incident, and where the root is that shows for it. */
  readonly into?: { readonly incidentId: string; readonly rootGatewayId: number | null }
}

/** How an alarm stands, as the rules ask for it. */
export const conditionOf = (
  row: Pick<EventStep['row'], 'state' | 'shelved_until' | 'acknowledged_until' | 'suppressed'>,
): AlarmCondition => ({
  state: row.state,
  shelvedUntil: row.shelved_until?.getTime() ?? null,
  acknowledgedUntil: row.acknowledged_until?.getTime() ?? null,
  suppressed: row.suppressed,
})

export const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** Stores one step of each of these events, with what it makes of it. Answers the rows as they are then. */
export async function writeSteps(run: Run, steps: readonly EventStep[]): Promise<EventRow[]> {
  if (steps.length === 0) return []
  const made = steps.map((step) => ({ step, ...after(step) }))
  const column = <T>(of: (each: (typeof made)[number]) => T): T[] => made.map(of)
  return run(sql<EventRow>`
    with step as (
      select * from unnest(${column(({ step }) => step.row.event_id)}::bigint[], ${column(({ step }) => new Date(step.at))}::timestamptz[],
        ${column(({ step }) => step.act)}::text[], ${column(({ step }) => step.row.state)}::text[],
        ${column(({ next }) => next.state)}::text[], ${column(({ step }) => step.actor)}::text[],
        ${column(({ step }) => step.reason ?? null)}::text[], ${column(({ step }) => step.commentId ?? null)}::uuid[],
        ${column(({ seen }) => seen.at)}::timestamptz[], ${column(({ seen }) => seen.by)}::text[],
        ${column(({ next }) => dateOf(next.acknowledgedUntil))}::timestamptz[],
        ${column(({ next }) => dateOf(next.shelvedUntil))}::timestamptz[], ${column(({ shelf }) => shelf.by)}::text[],
        ${column(({ shelf }) => shelf.reason)}::text[], ${column(({ next }) => next.suppressed)}::text[],
        ${column(({ step }) => (step.isAnnounced ? 1 : step.isUnannounced ? -1 : 0))}::int[], ${column(({ fold }) => fold.incident)}::bigint[],
        ${column(({ fold }) => fold.folded)}::boolean[], ${column(({ fold }) => fold.root)}::int[],
        ${column(({ fold }) => fold.alone)}::boolean[], ${column(({ fold }) => fold.noted)}::bigint[],
        ${column(({ times }) => times.returned)}::timestamptz[], ${column(({ times }) => times.again)}::timestamptz[],
        ${column(({ step }) => (step.act === 'raise' ? 1 : 0))}::int[])
      as step (id, at, act, was, now, who, why, comment, seen_at, seen_by, seen_until, shelf_until, shelf_by, shelf_why, silence, announcing,
        incident, folding, root, by_hand, noted, returned, again, raising)
    ), noted as (
      insert into event_transition (event_id, at, act, from_state, to_state, actor, reason, comment_id, incident_id, announced)
      select id, at, act, was, now, who, why, comment, step.noted, announcing > 0 from step
    )
    update event set state = now, acknowledged_at = seen_at, acknowledged_by = seen_by, acknowledged_until = seen_until,
      shelved_until = shelf_until, shelved_by = shelf_by, shelved_reason = shelf_why, suppressed = silence, announced = announced + announcing,
      incident_id = incident, folded = folding, root_gateway_id = root, stands_alone = by_hand,
      returned_at = returned, raised_again_at = again, raises = raises + raising
    from step where event_id = id returning event.*`)
}

function after(step: EventStep) {
  const { row, act, at, actor, reason } = step
  const next = alarmAfter(conditionOf(row), row.priority, step)
  const isSeen = (act === 'acknowledge' || act === 'unshelve') && next.state !== row.state
  const isForgotten = (act === 'expire' || act === 'shelfEnd' || act === 'alone') && next.state === 'active'
  const seen = {
    at: isSeen ? new Date(at) : isForgotten ? null : row.acknowledged_at,
    by: isSeen ? actor : isForgotten ? null : row.acknowledged_by,
  }
  const shelf =
    next.shelvedUntil === null
      ? { by: null, reason: null }
      : act === 'shelve'
        ? { by: actor, reason: reason ?? null }
        : { by: row.shelved_by, reason: row.shelved_reason }
  const times = {
    returned: act === 'return' ? new Date(at) : act === 'raise' ? null : row.returned_at,
    again: act === 'raise' ? new Date(at) : row.raised_again_at,
  }
  return { next, seen, shelf, times, fold: foldAfter(step) }
}

/** What was folded by mistake belongs to no incident; what stands alone since its incident has ended goes on to count there. */
function foldAfter({ row, act, actor, into }: EventStep) {
  const stays = { incident: row.incident_id, folded: row.folded, root: row.root_gateway_id, alone: row.stands_alone, noted: null }
  if (act === 'fold' && into)
    return { ...stays, incident: into.incidentId, folded: true, root: into.rootGatewayId, noted: into.incidentId }
  if (act !== 'alone') return stays
  const byHand = actor !== null
  return {
    incident: byHand ? null : row.incident_id,
    folded: false,
    root: null,
    alone: byHand || row.stands_alone,
    noted: row.incident_id,
  }
}

/** A page of what happened to an event, the newest first, and how much that is. */
export async function stepsOf(
  { general }: Pick<Database, 'general'>,
  eventId: string,
  { page, size }: { readonly page: number; readonly size: number },
) {
  const all = general.selectFrom('event_transition').where('event_id', '=', eventId)
  const rows = await all
    .selectAll()
    .select(hasPhoto.as('has_photo'))
    .orderBy('step_id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await all.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** A comment by the id that its writer made; undefined: nobody has stored it. */
export const storedComment = ({ general }: Pick<Database, 'general'>, commentId: string) =>
  general
    .selectFrom('event_transition')
    .selectAll()
    .select(hasPhoto.as('has_photo'))
    .where('comment_id', '=', commentId)
    .executeTakeFirst()
