import { once } from 'node:events'
import { COUNTER_SLOT, hourMs } from '@linewarden/equipment'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Birth } from '../../plant/hub.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { StoredEvent } from '../alarm/event-write.ts'
import { announceRaised, takeFoldingTurn, writeEvent } from '../alarm/event-write.ts'
import { noteEvidence, noteLateValues } from '../alarm/evidence-note.ts'
import { prepared } from '../core/prepared.ts'
import type { Batch, LinkChange, TripLockout } from './batch.ts'
import { RowWriter, readingColumns } from './copy-rows.ts'
import { dayOf, makePartition, partitionedDays } from './partitions.ts'
import { newestSettings, writeSettings, writeStates } from './reported-rows.ts'

/** A clock may be so far ahead that its hours will be rolled up; what is further away is no time. */
const maxHoursAhead = 48
const counterBit = 1 << COUNTER_SLOT

/** `storing`: straight into the table. `merging`: some rows are there already. `salvaging`: what the database refuses is left out. */
type Mode = 'storing' | 'merging' | 'salvaging'

/** Writes batches, each in one transaction, on a connection of its own. */
export class Committer {
  readonly #client: pg.Client
  readonly #rawDays: number
  readonly #writer = new RowWriter()
  #days: Set<number> | null = null
  /** Hours, present and to come, that are known to be due. */
  readonly #notedHours = new Set<number>()

  constructor(client: pg.Client, rawDays: number) {
    this.#client = client
    this.#rawDays = rawDays
  }

  /** Commits the whole batch or nothing. Answers the events as stored; an alarm that was open already is not among them. */
  async commit(batch: Batch, now: number): Promise<readonly StoredEvent[]> {
    await this.#preparePartitions(batch, now)
    try {
      return await this.#attempt(batch, now, 'storing')
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    try {
      // Rows are there already: the gateway sent again what it was not told had arrived, or a line's values came in two messages.
      return await this.#attempt(batch, now, 'merging')
    } catch (error) {
      if (!isRefusal(error)) throw error
      // Something in it can never be stored. That must stop nobody else, so it alone is left out, and noted.
      return await this.#attempt(batch, now, 'salvaging')
    }
  }

  async #attempt(batch: Batch, now: number, mode: Mode): Promise<readonly StoredEvent[]> {
    const client = this.#client
    await client.query('begin')
    batch.refused.clear()
    batch.quarantine.length = 0
    const step = <T>(what: string, gateway: string | null, of: object, work: () => Promise<T>): Promise<T | null> =>
      mode === 'salvaging' ? this.#salvage(work, (error) => refuse(batch, of, { number: gateway, what, error, now })) : work()
    try {
      await takeFoldingTurn(client, batch.events)
      if (mode === 'salvaging') await this.#salvageRows(batch, now, 0, batch.count)
      else if (batch.count > 0) await this.#writeRows(batch, mode === 'merging')
      const settings = newestSettings(batch.settings)
      const states = [...batch.states].filter(([, { changed, positionSince }]) => changed.size > 0 || positionSince !== undefined)
      if (mode !== 'salvaging') {
        await writeSettings(client, settings)
        await writeStates(client, states)
      } else {
        for (const each of batch.settings)
          await step(`setting ${each.key}`, each.line.device.gateway.number, each, () => writeSettings(client, [each]))
        for (const each of states) await step('states', each[0].device.gateway.number, each[1], () => writeStates(client, [each]))
      }
      for (const [line, trip] of batch.lockouts)
        await step(`latched trip ${trip.cause}`, line.device.gateway.number, trip, () => this.#writeLockout(line, trip))
      for (const each of batch.recordings)
        await step(`recording ${each.key}`, each.line.device.gateway.number, each, () => this.#writeRecording(each))
      for (const link of batch.links) await step(`link ${link.link}`, link.gateway.number, link, () => this.#writeLink(link))
      const { deviceLinks } = batch
      if (deviceLinks.size > 0) await step('links of devices', null, deviceLinks, () => this.#writeDeviceLinks(deviceLinks))
      for (const birth of batch.births) await step('birth', birth.gateway.number, birth, () => this.#writeBirth(birth))
      if (batch.signals.size > 0) await step('signals', null, batch.signals, () => this.#writeSignals(batch.signals))
      const stored: StoredEvent[] = []
      for (const draft of batch.events) {
        const written = await step(`event ${draft.key}`, draft.gateway.number, draft, () => writeEvent(client, draft, now))
        if (written) stored.push({ ...written, draft })
      }
      await step('evidence', null, {}, () => noteEvidence(client, stored, now))
      await step('late evidence', null, {}, () => noteLateValues(client, batch, now))
      const noted = await this.#noteHours(batch, now)
      const announced = await announceRaised(client, stored, now)
      await client.query('commit')
      this.#rememberHours(noted, now)
      batch.folding = announced
      return announced.stored
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }

  /** One step that the database may refuse without the others; what it refused is kept in quarantine. */
  async #salvage<T>(work: () => Promise<T>, onRefused: (error: unknown) => void): Promise<T | null> {
    await this.#client.query('savepoint step')
    try {
      const done = await work()
      await this.#client.query('release savepoint step')
      return done
    } catch (error) {
      if (!isRefusal(error)) throw error
      await this.#client.query('rollback to savepoint step')
      onRefused(error)
      return null
    }
  }

  /** Halves the rows until those that are refused stand alone. */
  async #salvageRows(batch: Batch, now: number, from: number, to: number): Promise<void> {
    if (from >= to) return
    const line = batch.lines[from]
    if (to - from === 1) {
      const what = `reading of line ${line?.id} at ${batch.at[from]}`
      const write = () => this.#writeRows(batch, true, from, to)
      const number = line?.device.gateway.number ?? null
      await this.#salvage(write, (error) => refuse(batch, from, { number, what, error, now }))
      return
    }
    await this.#client.query('savepoint half')
    try {
      await this.#writeRows(batch, true, from, to)
      await this.#client.query('release savepoint half')
    } catch (error) {
      if (!isRefusal(error)) throw error
      await this.#client.query('rollback to savepoint half')
      const middle = (from + to) >> 1
      await this.#salvageRows(batch, now, from, middle)
      await this.#salvageRows(batch, now, middle, to)
    }
  }

  /** The gateway may send it again: it is the same. */
  async #writeRecording({ line, key, at, receivedAt, samples }: Batch['recordings'][number]): Promise<void> {
    await prepared(
      this.#client,
      'recording',
      `insert into recording (line_id, key, at, received_at, samples) values ($1, $2, $3, $4, $5)
       on conflict (line_id, key, at) do nothing`,
      [line.id, key, new Date(at), new Date(receivedAt), samples],
    )
  }

  /** A batch whose COMMIT was done though its answer was lost comes once more: the same trip is no second one. */
  async #writeLockout(line: PlantLine, trip: TripLockout): Promise<void> {
    const values = [line.id, trip.cause, new Date(trip.at)]
    await prepared(
      this.#client,
      'lockout',
      `with latched as (
         update line set trip_latched = $2, trip_latches = trip_latches + 1
         where line_id = $1 and not exists (
           select from trip where trip.line_id = $1 and trip_no = trip_latches and trip.cause = $2 and trip.at = $3)
         returning line_id, trip_latches
       )
       insert into trip (line_id, trip_no, cause, at) select line_id, trip_latches, $2, $3 from latched`,
      values,
    )
    const { rows } = await prepared<{ trip_latches: number }>(
      this.#client,
      'trip number',
      'select trip_latches from line where line_id = $1',
      [line.id],
    )
    trip.no = rows[0]?.trip_latches ?? null
  }

  async #writeRows(batch: Batch, merging: boolean, from = 0, to = batch.count): Promise<void> {
    const client = this.#client
    if (merging) await client.query('create temp table if not exists stage (like reading) on commit drop; truncate stage')
    const stream = client.query(copyFrom(`copy ${merging ? 'stage' : 'reading'} (${readingColumns}) from stdin (format binary)`))
    stream.end(this.#writer.encode(batch, from, to))
    await once(stream, 'finish')
    if (!merging) return
    const columns = readingColumns.split(', ').slice(4)
    const merged = columns.map((each) => `${each} = coalesce(excluded.${each}, reading.${each})`).join(', ')
    await client.query(
      `insert into reading (${readingColumns}) select distinct on (line_id, at) ${readingColumns} from stage order by line_id, at
       on conflict (line_id, at) do update set ${merged}`,
    )
  }

  async #writeLink({ gateway, link, reason, at, bdSeq, reportingPeriodMs }: LinkChange): Promise<void> {
    await prepared(
      this.#client,
      'link',
      `update gateway set link = $2, link_reason = $3, bd_seq = coalesce($5, bd_seq),
         reporting_period_ms = coalesce($6, reporting_period_ms),
         link_since = case when link = $2 then link_since else $4 end where gateway_id = $1`,
      [gateway.id, link, reason, new Date(at), bdSeq, reportingPeriodMs],
    )
  }

  async #writeDeviceLinks(links: Batch['deviceLinks']): Promise<void> {
    const all = [...links]
    // Who takes a gateway out holds it first and its devices then: taken in the same order, nobody waits in a circle.
    await prepared(
      this.#client,
      'gateways of devices',
      'select from gateway where gateway_id = any($1::int[]) order by gateway_id for key share',
      [[...new Set(all.map(([{ gateway }]) => gateway.id))]],
    )
    await prepared(
      this.#client,
      'links of devices',
      `update device set link = said.link, link_reason = said.reason,
         link_since = case when device.link = said.link then device.link_since else said.at end
       from unnest($1::int[], $2::text[], $3::text[], $4::timestamptz[]) as said (device_id, link, reason, at)
       where device.device_id = said.device_id`,
      [
        all.map(([{ id }]) => id),
        all.map(([, { link }]) => link),
        all.map(([, { reason }]) => reason),
        all.map(([, { at }]) => new Date(at)),
      ],
    )
  }

  async #writeBirth({ gateway, model, firmware, keepsPeriod, receivedAt }: Birth): Promise<void> {
    await prepared(
      this.#client,
      'birth',
      `update gateway set model = coalesce($2, model), firmware = coalesce($3, firmware), keeps_period = $5,
         firmware_at = case when $3::text is null then firmware_at else $4 end where gateway_id = $1`,
      [gateway.id, model, firmware, new Date(receivedAt), keepsPeriod],
    )
  }

  async #writeSignals(signals: Batch['signals']): Promise<void> {
    const all = [...signals]
    await prepared(
      this.#client,
      'signals',
      `update gateway set signal_dbm = said.dbm, signal_at = said.at
       from unnest($1::int[], $2::smallint[], $3::timestamptz[]) as said (gateway_id, dbm, at) where gateway.gateway_id = said.gateway_id`,
      [
        all.map(([gateway]) => gateway.id),
        all.map(([, signal]) => signal?.dbm ?? null),
        all.map(([, signal]) => (signal ? new Date(signal.at) : null)),
      ],
    )
  }

  /**
   * Hours these readings belong to are due to be rolled up: the present one and those to come (a clock is ahead) said once, older ones every
   * time, because they may have been rolled up already. An hour before the raw window stays as it was rolled up: what it was made of is
   * gone, and the late reading alone is not that hour. Answers the hours that are due now.
   */
  async #noteHours(batch: Batch, now: number): Promise<ReadonlySet<number>> {
    const current = Math.floor(now / hourMs)
    const first = (dayOf(now) - this.#rawDays) * 24
    const due = new Set<number>()
    const counted = new Map<string, { readonly line: number; readonly hour: number }>()
    for (let row = 0; row < batch.count; row++) {
      const hour = Math.floor((batch.at[row] ?? 0) / hourMs)
      if (hour < first || hour > current + maxHoursAhead || (hour >= current && this.#notedHours.has(hour))) continue
      due.add(hour)
      const line = batch.lines[row]
      if (line && hour < current - 1 && ((batch.mask[row] ?? 0) & counterBit) !== 0)
        counted.set(`${line.id} ${hour}`, { line: line.id, hour })
    }
    if (counted.size > 0) for (const hour of await this.#countedAfter([...counted.values()], current)) due.add(hour)
    if (due.size === 0) return due
    // A note that is there is held until this is committed, so that its roll-up sees these readings. Where it is just being rolled up nobody
    // is waited for: another note has it done once more.
    await prepared(
      this.#client,
      'note hours',
      `with held as (select hour from rollup_due where hour = any($1::timestamptz[]) for key share skip locked)
        insert into rollup_due (hour) select unnest($1::timestamptz[]) except select hour from held`,
      [[...due].map((hour) => new Date(hour * hourMs))],
    )
    return due
  }

  /** Remembers which hours need not be said again, once they are committed. */
  #rememberHours(due: ReadonlySet<number>, now: number): void {
    if (due.size === 0) return
    const current = Math.floor(now / hourMs)
    for (const hour of this.#notedHours) if (hour < current) this.#notedHours.delete(hour)
    for (const hour of due) if (hour >= current) this.#notedHours.add(hour)
  }

  /**
   * What a counter's reading counts is what it stands above the readings before it: a late one takes from the energy of the line's next
   * hour that has any, however far away that is, and from the one after, whose highest reading before may still be the late one; one without
   * use may have the line's first reading, or none. Hours that are not rolled up yet are due, and may be under way. Answers all of these.
   */
  async #countedAfter(
    late: readonly { readonly line: number; readonly hour: number }[],
    current: number,
  ): Promise<readonly number[]> {
    const { rows } = await prepared<{ hour: Date }>(
      this.#client,
      'counted after',
      `select next.hour from unnest($1::int[], $2::timestamptz[]) as late (line_id, hour) cross join lateral (
         select made.hour from reading_hour made where made.line_id = late.line_id and made.hour > late.hour and made.hour < $3
           and (counter_used is not null or exists (select from reading r where r.line_id = late.line_id and r.at >= made.hour
             and r.at < made.hour + interval '1 hour' and counter is not null))
         order by made.hour limit 2
       ) as next
       union select hour from rollup_due where hour > (select min(hour) from unnest($2::timestamptz[]) as late (hour)) and hour < $3`,
      [late.map(({ line }) => line), late.map(({ hour }) => new Date(hour * hourMs)), new Date(current * hourMs)],
    )
    return rows.map(({ hour }) => hour.getTime() / hourMs)
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

/** It is not so, and the message is kept aside after the commit. */
function refuse(
  batch: Batch,
  of: object | number,
  { number, what, error, now }: { number: string | null; what: string; error: unknown; now: number },
): void {
  batch.refused.add(of)
  const detail = `${what}: ${error instanceof Error ? error.message : String(error)}`
  batch.quarantine.push({ number, topic: '', reason: 'refused_by_database', detail, payload: new Uint8Array(0), at: now })
}

/**
 * Whether the database has understood and said no: a value it cannot hold (class 22), a rule it would break (23), the same row twice in
 * one statement (21). Anything else is the database being away, and passes.
 */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(21|22|23)[0-9A-Z]{3}$/.test(code)
}
