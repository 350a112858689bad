import type { Priority } from '@linewarden/equipment'
import type { AlarmState, EventKind } from '@linewarden/rules/alarm'
import type { Stack } from './stack.ts'

/** An event as it stands in the database; what is left out is that of an active overcurrent alarm of line 1 of A-T1, raised now. */
export interface RaisedEvent {
  readonly controllerId?: string
  /** Null: of the whole device; `gateway`: of all that is behind its gateway; `project`: of all of its project. */
  readonly lineNo?: number | 'gateway' | 'project' | null
  readonly kind?: EventKind
  readonly priority?: Priority
  /** Another one each time where it is left out: one alarm of a place is open once. */
  readonly key?: string
  readonly label?: { readonly zh: string; readonly en: string }
  readonly state?: AlarmState | null
  /** Unix ms. */
  readonly raisedAt?: number
  readonly raisedAgainAt?: number
  readonly raises?: number
  /** Back-filled after an interruption. */
  readonly historical?: boolean
}

/** Stores events as if the equipment had raised them, in this order, and announces what is to be announced. Answers their numbers. */
export async function raiseEvents(stack: Stack, given: readonly RaisedEvent[]): Promise<string[]> {
  const db = await stack.server.database.connect()
  const ids: string[] = []
  try {
    for (const each of given) {
      const { controllerId = 'A-T1', lineNo = 1, kind = 'alarm', raises = 1, raisedAt = Date.now(), raisedAgainAt } = each
      const device = stack.server.plant.deviceByControllerId.get(controllerId)
      const { zh, en } = each.label ?? { zh: '过流报警', en: 'Overcurrent alarm' }
      const { rows } = await db.query<{ event_id: string }>(
        `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, device_id, line_id, raised_at,
           raised_again_at, raises, historical, stored_at, announced)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now(), 1) returning event_id`,
        [
          kind,
          each.priority ?? 'high',
          each.key ?? crypto.randomUUID().replaceAll('-', ''),
          zh,
          en,
          each.state === undefined ? 'active' : each.state,
          device?.gateway.project.id,
          lineNo === 'project' ? null : device?.gateway.id,
          lineNo === null ? device?.id : null,
          typeof lineNo === 'number' ? device?.lines.get(lineNo)?.id : null,
          new Date(raisedAt),
          raisedAgainAt === undefined ? null : new Date(raisedAgainAt),
          raises,
          each.historical ?? false,
        ],
      )
      ids.push(...rows.map(({ event_id }) => event_id))
      if (kind !== 'journal')
        await db.query(
          `insert into announcement (event_id, at, why) select event_id, now(), 'raise' from event where event_id = $1`,
          [rows[0]?.event_id],
        )
    }
  } finally {
    await db.end()
  }
  return ids
}

/** The alarm comes again, and calls for somebody. */
export async function raiseEventAgain(stack: Stack, eventId: string): Promise<void> {
  const { general } = stack.server.database
  await general
    .updateTable('event')
    .set(({ eb }) => ({ state: 'active', returned_at: null, raises: eb('raises', '+', 1), raised_again_at: new Date() }))
    .where('event_id', '=', eventId)
    .execute()
  await general.insertInto('announcement').values({ event_id: eventId, at: new Date(), why: 'raise' }).execute()
}
