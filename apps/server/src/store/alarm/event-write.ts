import type { AlarmAct, AlarmState } from '@linewarden/rules/alarm'
import { alarmAfter, foldAlarm, isDanger, isShelved, isSilent, openAlarmStates } from '@linewarden/rules/alarm'
import { tagsInForce } from '@linewarden/rules/control'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import { alarmKeyOf } from '../../plant/plant.ts'
import { prepared } from '../core/prepared.ts'
import { onClient } from '../core/run.ts'
import type { Schema } from '../core/schema.ts'
import type { EventDraft } from '../ingest/batch.ts'
import { announce } from './announcement.ts'
import { evidenceOf } from './evidence-of.ts'
import type { FoldedAside } from './fold.ts'
import { foldEvents, isFoldingMatter, isWaitedFor, takeTurn, waitsBriefly } from './fold.ts'
import type { Raised } from './series.ts'
import { raisedInSeries, saveRaise, saveReturn } from './series.ts'
import { conditionOf, dateOf } from './step.ts'

type EventRow = Selectable<Schema['event']>

export interface StoredEvent {
  readonly row: EventRow
  readonly draft: EventDraft
  /** To be announced: raised for the first time, or once more after a while, and neither on the shelf nor out of service. */
  readonly isNew: boolean
  /** New to whoever does not see the root of the incident that it is folded into. */
  readonly isNewUnfolded?: true
  /** It was announced before, by a commit whose answer was lost. */
  readonly isAgain?: true
}

type Stored = Omit<StoredEvent, 'draft'>

/** What was stored and announced. */
export interface Announced extends FoldedAside {
  readonly stored: readonly StoredEvent[]
}

const columnsOf: { readonly [column in keyof EventRow]: true } = {
  event_id: true,
  kind: true,
  priority: true,
  key: true,
  label_zh: true,
  label_en: true,
  point: true,
  value: true,
  limit_value: true,
  unit: true,
  state: true,
  project_id: true,
  gateway_id: true,
  device_id: true,
  line_id: true,
  raised_at: true,
  stored_at: true,
  acknowledged_at: true,
  acknowledged_by: true,
  returned_at: true,
  historical: true,
  raises: true,
  raised_again_at: true,
  shelved_until: true,
  shelved_by: true,
  shelved_reason: true,
  acknowledged_until: true,
  suppressed: true,
  announced: true,
  evidence_minute: true,
  evidence_due: true,
  incident_id: true,
  folded: true,
  root_gateway_id: true,
  root_of: true,
  stands_alone: true,
  series_id: true,
  occurrences: true,
  superseded: true,
  chatter_since: true,
  chatter_at: true,
  for_account: true,
  order_id: true,
}
const columns = Object.keys(columnsOf).join(', ')

/**
 * Stores what happened to an alarm; null: nothing happened. While somebody still has to see to it the same alarm is one event, however often
 * it is raised.
 */
export async function writeEvent(client: pg.ClientBase, draft: EventDraft, now: number): Promise<Stored | null> {
  if (draft.act === 'return') return returnEvent(client, draft)
  const raised = draft.act === 'raise' ? await raisedInSeries(client, draft, null) : null
  const made = await insertEvent(client, draft, raised, now)
  if (made) {
    if (raised) await saveRaise(client, draft, raised, made.event_id, made.announced > 0)
    return { row: made, isNew: made.announced > 0 }
  }
  const open = await openEvent(client, draft)
  if (!open?.state || draft.act !== 'raise') return null
  const next = foldAlarm(open.state, 'raise')
  const silent = isSilent({ shelvedUntil: open.shelved_until?.getTime() ?? null, suppressed: open.suppressed }, now)
  if (next !== open.state) {
    const lastRaisedAt = (open.raised_again_at ?? open.raised_at).getTime()
    const again = await raisedInSeries(client, draft, lastRaisedAt)
    const calls = !isOutOfService(draft) && again.isAnnounced
    const isNew = !silent && calls
    // Its root shows for it, but not to whoever does not see the root, nor to whoever acknowledges the incident as it was before.
    const isNewUnfolded = calls && open.suppressed === 'incident' && !isShelved(open.shelved_until?.getTime() ?? null, now)
    const row = await raiseAgain(client, open, next, draft, { isNew, now, raised: again })
    await saveRaise(client, draft, again, row.event_id, isNew || isNewUnfolded)
    return { row, isNew, ...(isNewUnfolded && { isNewUnfolded }) }
  }
  // It is there, and the plant does not know: a commit that succeeded while its answer was lost. Else it is no news.
  return knows(draft) ? null : { row: open, isNew: !silent, isAgain: true }
}

/**
 * Waits for the turn of the projects in which these may be folded, before the transaction has a row of an event: whoever waited for it with
 * rows in hand would wait in a circle with the one that folds and needs them.
 */
export async function takeFoldingTurn(client: pg.ClientBase, drafts: readonly EventDraft[]): Promise<void> {
  const matters = drafts.filter(({ key, gateway, historical }) => isFoldingMatter({ key, gateway_id: gateway.id, historical }))
  await takeTurn(onClient(client), [...new Set(matters.map(({ gateway }) => gateway.project.id))])
}

/**
 * Folds what was stored in this transaction into incidents and announces it, as its last thing. Answers it as it is then, and what else of
 * incidents has changed by it.
 */
export async function announceRaised(client: pg.ClientBase, stored: readonly StoredEvent[], now: number): Promise<Announced> {
  const folding = await foldAside(client, stored, now)
  const moved = new Map(folding.moved.map((each) => [each.row.event_id, each]))
  const own = new Set(stored.map(({ row }) => row.event_id))
  const after = stored.map((each): StoredEvent => {
    const row = moved.get(each.row.event_id)?.row
    if (!row) return each
    return row.folded && each.isNew && !each.isAgain ? { ...each, row, isNew: false, isNewUnfolded: true } : { ...each, row }
  })
  const others = [...moved.values()].filter(({ row }) => !own.has(row.event_id))
  await announce(
    client,
    [
      ...after.flatMap(({ row, isNew, isNewUnfolded, isAgain }) =>
        (isNew || isNewUnfolded) && !isAgain ? [{ eventId: row.event_id, why: 'raise' as const }] : [],
      ),
      ...others.flatMap(({ row, why }) => (why === null ? [] : [{ eventId: row.event_id, why }])),
    ],
    now,
  )
  return { stored: after, moved: others, failed: folding.failed }
}

/** What is wrong with folding, or who has a row that it needs, keeps nothing from being stored: it is shown unfolded, and folded by a later look. */
async function foldAside(client: pg.ClientBase, stored: readonly StoredEvent[], now: number): Promise<FoldedAside> {
  if (!stored.some(({ row }) => isFoldingMatter(row))) return { moved: [], failed: null }
  await client.query(`savepoint folding; ${waitsBriefly}`)
  try {
    const moved = await foldEvents(onClient(client), stored, now)
    await client.query('set local lock_timeout to default')
    return { moved, failed: null }
  } catch (error) {
    await client.query('rollback to savepoint folding')
    return { moved: [], failed: isWaitedFor(error) ? null : error }
  }
}

/** A tag hangs on where it is, and nobody is in danger. */
function isOutOfService({ line, device, gateway, key }: EventDraft): boolean {
  if (isDanger(key)) return false
  const tags = line ? tagsInForce(line) : device ? [...device.ownTags, ...gateway.ownTags] : gateway.ownTags
  return tags.length > 0
}

async function insertEvent(
  client: pg.ClientBase,
  draft: EventDraft,
  raised: Raised | null,
  now: number,
): Promise<EventRow | undefined> {
  const evidence = evidenceOf(draft, now)
  const { rows } = await prepared<EventRow>(
    client,
    'event',
    `with shelf as (
       select until, actor, reason from event_shelf
       where key = $3 and coalesce(line_id, 0) = coalesce($13::int, 0) and coalesce(gateway_id, 0) = $12
         and coalesce(device_id, 0) = coalesce($17::int, 0) and coalesce(point, '') = coalesce($6, '')
         and until > $15 and ended_at is null and $10 = 'active'
       order by until desc limit 1
     ), made as (
       insert into event (kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
         raised_at, stored_at, historical, device_id, suppressed, shelved_until, shelved_by, shelved_reason, announced,
         evidence_minute, evidence_due, series_id, occurrences, chatter_since, chatter_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, (select until from shelf),
         (select actor from shelf), (select reason from shelf),
         case when $10 = 'active' and $18::text is null and $21 and not exists (select from shelf) then 1 else 0 end, $19, $20, $22, $23, $24, $25)
       on conflict do nothing returning ${columns}
     ), noted as (
       insert into event_transition (event_id, at, act, to_state, value, limit_value, announced)
       select event_id, raised_at, 'raise', state, value, limit_value, announced > 0 from made where state is not null
     )
     select ${columns} from made`,
    [
      draft.kind,
      draft.priority,
      draft.key,
      draft.label.zh,
      draft.label.en,
      draft.point,
      draft.value,
      draft.limit,
      draft.unit,
      draft.act === 'raise' ? 'active' : draft.historical ? 'returned' : null,
      draft.gateway.project.id,
      draft.gateway.id,
      draft.line?.id ?? null,
      new Date(draft.at),
      new Date(now),
      draft.historical,
      draft.device?.id ?? null,
      draft.act === 'raise' && isOutOfService(draft) ? 'tag' : null,
      dateOf(evidence?.minute ?? null),
      dateOf(evidence?.dueAt ?? null),
      raised?.isAnnounced ?? true,
      raised?.series?.id ?? null,
      raised?.after.occurrences ?? null,
      dateOf(raised?.after.chatterSince ?? null),
      dateOf(raised?.after.chatterAt ?? null),
    ],
  )
  return rows[0]
}

async function raiseAgain(
  client: pg.ClientBase,
  open: EventRow,
  next: AlarmState,
  draft: EventDraft,
  { isNew, now, raised }: { readonly isNew: boolean; readonly now: number; readonly raised: Raised },
): Promise<EventRow> {
  const evidence = evidenceOf(draft, now)
  const { rows } = await prepared<EventRow>(
    client,
    'event again',
    `update event set state = $2, returned_at = null, raises = raises + 1, raised_again_at = $3, value = $4, limit_value = $5, unit = $6,
       announced = announced + $7, evidence_minute = coalesce($8, evidence_minute), evidence_due = coalesce($9, evidence_due),
       occurrences = $10, chatter_since = $11, chatter_at = $12
     where event_id = $1 returning ${columns}`,
    [
      open.event_id,
      next,
      new Date(draft.at),
      draft.value,
      draft.limit,
      draft.unit,
      isNew ? 1 : 0,
      dateOf(evidence?.minute ?? null),
      dateOf(evidence?.dueAt ?? null),
      raised.after.occurrences,
      dateOf(raised.after.chatterSince),
      dateOf(raised.after.chatterAt),
    ],
  )
  await noteTransition(client, open, 'raise', next, draft, isNew)
  return rows[0] ?? open
}

async function returnEvent(client: pg.ClientBase, draft: EventDraft): Promise<Stored | null> {
  const open = await openEvent(client, draft)
  const before = open?.state && conditionOf({ ...open, state: open.state })
  const next = before && alarmAfter(before, open.priority, { act: 'return', at: draft.at })
  if (!open || !next || next.state === open.state) {
    // It has returned, and the plant does not know: a commit that succeeded while its answer was lost.
    const row = knows(draft) ? await knownEvent(client, draft) : undefined
    return row ? { row, isNew: false } : null
  }
  const { rows } = await prepared<EventRow>(
    client,
    'event returned',
    `update event set state = $2, returned_at = $3, acknowledged_until = $4, shelved_until = $5, suppressed = $6,
       shelved_by = case when $5::timestamptz is null then null else shelved_by end,
       shelved_reason = case when $5::timestamptz is null then null else shelved_reason end
     where event_id = $1 returning ${columns}`,
    [open.event_id, next.state, new Date(draft.at), dateOf(next.acknowledgedUntil), dateOf(next.shelvedUntil), next.suppressed],
  )
  await noteTransition(client, open, 'return', next.state, draft, false)
  await saveReturn(client, draft)
  return { row: rows[0] ?? open, isNew: false }
}

async function noteTransition(
  client: pg.ClientBase,
  from: EventRow,
  act: AlarmAct,
  to: AlarmState,
  draft: EventDraft,
  isAnnounced: boolean,
) {
  await prepared(
    client,
    'event transition',
    `insert into event_transition (event_id, at, act, from_state, to_state, value, limit_value, announced)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [from.event_id, new Date(draft.at), act, from.state, to, draft.value, draft.limit, isAnnounced],
  )
}

/** Planned each time: only by the states themselves does the planner find the index of open events. */
async function openEvent(
  client: pg.ClientBase,
  { gateway, device, line, key, point }: EventDraft,
): Promise<EventRow | undefined> {
  const { rows } = await client.query<EventRow>(
    `select * from event where gateway_id = $1 and coalesce(line_id, 0) = $2 and key = $3 and coalesce(point, '') = $4
     and state = any($5) and coalesce(device_id, 0) = $6 and not historical for update`,
    [gateway.id, line?.id ?? 0, key, point ?? '', openAlarmStates, device?.id ?? 0],
  )
  return rows[0]
}

const knownAlarm = ({ line, key, point }: EventDraft) => line?.alarms.get(alarmKeyOf(key, point))

/** Whether the plant shows it as active; what concerns a whole gateway it does not show. */
const knows = (draft: EventDraft): boolean => draft.line === null || knownAlarm(draft) !== undefined

async function knownEvent(client: pg.ClientBase, draft: EventDraft): Promise<EventRow | undefined> {
  const { rows } = await prepared<EventRow>(client, 'event by id', `select ${columns} from event where event_id = $1`, [
    knownAlarm(draft)?.eventId ?? null,
  ])
  return rows[0]
}
