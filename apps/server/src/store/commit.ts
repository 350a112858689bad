import { once } from 'node:events'
import { foldAlarm } from '@linewarden/rules'
import type { Selectable } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Batch, EventDraft, LinkChange } from '../ingest/batch.ts'
import { RowWriter, readingColumns } from './copy-rows.ts'
import { dayOf, makePartition, partitionedDays } from './partitions.ts'
import type { Schema } from './schema.ts'

export interface StoredEvent {
  readonly row: Selectable<Schema['event']>
  readonly draft: EventDraft
}

const hourMs = 3_600_000
const quarantineBytes = 4_096

/** Writes batches, each in one transaction, on a connection of its own. */
export class Committer {
  readonly #client: pg.Client
  readonly #rawDays: number
  readonly #writer = new RowWriter()
  #days: Set<number> | null = null

  constructor(client: pg.Client, rawDays: number) {
    this.#client = client
    this.#rawDays = rawDays
  }

  /** Commits the whole batch or nothing. Answers the events as stored; an alarm that was open already is not among them. */
  async commit(batch: Batch, now: number): Promise<readonly StoredEvent[]> {
    await this.#preparePartitions(batch, now)
    try {
      return await this.#attempt(batch, now, false)
    } catch (error) {
      // A row is there already: the gateway sent again what it was not told had arrived, or a line's values came in two messages.
      if ((error as { code?: string }).code !== '23505') throw error
      return await this.#attempt(batch, now, true)
    }
  }

  async #attempt(batch: Batch, now: number, merging: boolean): Promise<readonly StoredEvent[]> {
    const client = this.#client
    await client.query('begin')
    try {
      if (batch.count > 0) await this.#writeRows(batch, merging)
      for (const { line, key, value, at } of batch.settings) {
        await client.query(
          `insert into line_setting (line_id, key, reported, reported_at) values ($1, $2, $3, $4)
           on conflict (line_id, key) do update set reported = excluded.reported, reported_at = excluded.reported_at`,
          [line.id, key, value, new Date(at)],
        )
      }
      for (const [line, { at, changed, positionAt }] of batch.states) {
        if (changed.size === 0) continue
        await client.query(
          `insert into line_state (line_id, states, position_at, changed_at) values ($1, $2, $3, $4)
           on conflict (line_id) do update set states = line_state.states || excluded.states,
             position_at = coalesce(excluded.position_at, line_state.position_at), changed_at = excluded.changed_at`,
          [line.id, JSON.stringify(Object.fromEntries(changed)), positionAt === null ? null : new Date(positionAt), new Date(at)],
        )
      }
      for (const [line, cause] of batch.latches) {
        await client.query(
          'update line set trip_latched = $2, trip_explained = null, trip_explained_at = null where line_id = $1',
          [line.id, cause],
        )
      }
      for (const link of batch.links) await this.#writeLink(link)
      const stored: StoredEvent[] = []
      for (const draft of batch.events) {
        const row = await this.#writeEvent(draft, now)
        if (row) stored.push({ row, draft })
      }
      for (const { number, topic, reason, detail, payload, at } of batch.quarantine) {
        await client.query(
          'insert into quarantine (received_at, gateway_number, topic, reason, detail, size, payload) values ($1, $2, $3, $4, $5, $6, $7)',
          [
            new Date(at),
            number,
            topic.slice(0, 512),
            reason,
            detail.slice(0, 512),
            payload.length,
            Buffer.from(payload.subarray(0, quarantineBytes)),
          ],
        )
      }
      await this.#noteOldHours(batch, now)
      await client.query('commit')
      return stored
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  async #writeRows(batch: Batch, merging: boolean): Promise<void> {
    const client = this.#client
    if (merging) await client.query('create temp table stage (like reading) on commit drop')
    const stream = client.query(copyFrom(`copy ${merging ? 'stage' : 'reading'} (${readingColumns}) from stdin (format binary)`))
    stream.end(this.#writer.encode(batch))
    await once(stream, 'finish')
    if (!merging) return
    const columns = readingColumns.split(', ').slice(4)
    const merged = columns.map((each) => `${each} = coalesce(excluded.${each}, reading.${each})`).join(', ')
    await client.query(
      `insert into reading (${readingColumns}) select ${readingColumns} from stage
       on conflict (line_id, at) do update set ${merged}`,
    )
  }

  async #writeLink({ gateway, link, reason, at, bdSeq }: LinkChange): Promise<void> {
    await this.#client.query(
      `update gateway set link = $2, link_reason = $3, bd_seq = coalesce($5, bd_seq), reporting_period_ms = $6,
         link_since = case when link = $2 then link_since else $4 end where gateway_id = $1`,
      [gateway.id, link, reason, new Date(at), bdSeq, gateway.reportingPeriodMs],
    )
  }

  async #writeEvent(draft: EventDraft, now: number): Promise<Selectable<Schema['event']> | null> {
    const { gateway, line, key, point } = draft
    if (draft.act === 'return') return this.#returnEvent(draft)
    const { rows } = await this.#client.query<Selectable<Schema['event']>>(
      `insert into event (kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id, raised_at, stored_at, historical)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) on conflict do nothing returning *`,
      [
        draft.kind,
        draft.priority,
        key,
        draft.label.zh,
        draft.label.en,
        point,
        draft.value,
        draft.limit,
        draft.unit,
        draft.act === 'raise' ? 'active' : draft.historical ? 'returned' : null,
        gateway.project.id,
        gateway.id,
        line?.id ?? null,
        new Date(draft.at),
        new Date(now),
        draft.historical,
      ],
    )
    return rows[0] ?? null
  }

  async #returnEvent({ gateway, line, key, point, at }: EventDraft): Promise<Selectable<Schema['event']> | null> {
    const { rows } = await this.#client.query<{ event_id: string; state: 'active' | 'acknowledged' }>(
      `select event_id, state from event where gateway_id = $1 and coalesce(line_id, 0) = $2 and key = $3 and coalesce(point, '') = $4
       and state in ('active', 'acknowledged') and not historical for update`,
      [gateway.id, line?.id ?? 0, key, point ?? ''],
    )
    const open = rows[0]
    if (!open) return null
    const updated = await this.#client.query<Selectable<Schema['event']>>(
      'update event set state = $2, returned_at = $3 where event_id = $1 returning *',
      [open.event_id, foldAlarm(open.state, 'return'), new Date(at)],
    )
    return updated.rows[0] ?? null
  }

  /** Hours already rolled up that these readings belong to. */
  async #noteOldHours(batch: Batch, now: number): Promise<void> {
    const current = Math.floor(now / hourMs)
    const old = new Set<number>()
    for (let row = 0; row < batch.count; row++) {
      const hour = Math.floor((batch.at[row] ?? 0) / hourMs)
      if (hour < current) old.add(hour)
    }
    if (old.size === 0) return
    await this.#client.query('insert into rollup_due (hour) select unnest($1::timestamptz[]) on conflict do nothing', [
      [...old].map((hour) => new Date(hour * hourMs)),
    ])
  }

  /** Days inside the raw window get their partition; anything else lies in the default one. */
  async #preparePartitions(batch: Batch, now: number): Promise<void> {
    this.#days ??= await partitionedDays(this.#client)
    const today = dayOf(now)
    for (let row = 0; row < batch.count; row++) {
      const day = dayOf(batch.at[row] ?? 0)
      if (this.#days.has(day) || day > today + 1 || day < today - this.#rawDays) continue
      await makePartition(this.#client, day)
      this.#days.add(day)
    }
  }
}
