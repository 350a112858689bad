import { completedWithinMs, evidenceMinuteOf } from '@linewarden/rules/alarm'
import type pg from 'pg'
import { prepared } from '../core/prepared.ts'
import type { Batch } from '../ingest/batch.ts'
import type { StoredEvent } from './event-write.ts'
import { evidenceOf } from './evidence-of.ts'

const minuteMs = 60_000
/** Values that are received so long after their moment may belong to a copy that has been made. */
const lateMs = 60_000
/** More of what was kept during an outage usually comes at once. */
const collectsMs = 2_000

/** Notes in the transaction of the alarms which minutes of their lines are to be copied. */
export async function noteEvidence(client: pg.ClientBase, stored: readonly StoredEvent[], now: number): Promise<void> {
  const due = new Map<string, { lineId: number; minute: number; dueAt: number; states: string }>()
  for (const { draft, isAgain } of stored) {
    const evidence = isAgain ? null : evidenceOf(draft, now)
    if (!evidence || !draft.line) continue
    const { id, states } = draft.line
    due.set(`${id} ${evidence.minute}`, { ...evidence, lineId: id, states: JSON.stringify(Object.fromEntries(states)) })
  }
  if (due.size === 0) return
  // In order of their keys, so that two servers never wait for each other in a circle.
  const all = [...due.values()].sort((a, b) => a.lineId - b.lineId || a.minute - b.minute)
  await prepared(
    client,
    'note evidence',
    `insert into evidence (line_id, minute, states, due_at, whole_at)
     select line_id, minute, states::jsonb, due_at, due_at
     from unnest($1::int[], $2::timestamptz[], $3::text[], $4::timestamptz[]) as noted (line_id, minute, states, due_at)
     on conflict (line_id, minute) do update set due_at = least(evidence.due_at, excluded.due_at),
       whole_at = greatest(evidence.whole_at, excluded.whole_at), revision = evidence.revision + 1`,
    [
      all.map(({ lineId }) => lineId),
      all.map(({ minute }) => new Date(minute)),
      all.map(({ states }) => states),
      all.map(({ dueAt }) => new Date(dueAt)),
    ],
  )
}

/** Notes that copies of the last day are to be made again, because values of their minutes came late. */
export async function noteLateValues(client: pg.ClientBase, batch: Batch, now: number): Promise<void> {
  const late = new Map<string, { readonly lineId: number; readonly minute: number }>()
  for (let row = 0; row < batch.count; row++) {
    const [line, at = 0, receivedAt = 0] = [batch.lines[row], batch.at[row], batch.receivedAt[row]]
    if (!line || receivedAt - at < lateMs || at < now - completedWithinMs) continue
    const minute = evidenceMinuteOf(at)
    late.set(`${line.id} ${minute}`, { lineId: line.id, minute })
  }
  if (late.size === 0) return
  const all = [...late.values()]
  await prepared(
    client,
    'late evidence',
    `with touched as materialized (
       select distinct evidence.line_id, evidence.minute
       from unnest($1::int[], $2::timestamptz[], $3::timestamptz[]) as late (line_id, earliest, latest)
       join evidence on evidence.line_id = late.line_id and evidence.minute between late.earliest and late.latest
       where copied_at is not null
     ), held as materialized (
       select line_id, minute from evidence join touched using (line_id, minute) order by line_id, minute for update of evidence
     )
     update evidence set due_at = least(evidence.due_at, $4), revision = revision + 1
     from held where evidence.line_id = held.line_id and evidence.minute = held.minute`,
    [
      all.map(({ lineId }) => lineId),
      all.map(({ minute }) => new Date(minute - minuteMs)),
      all.map(({ minute }) => new Date(minute + minuteMs)),
      new Date(now + collectsMs),
    ],
  )
}
