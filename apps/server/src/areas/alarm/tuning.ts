import type {
  AlarmTimingRecord,
  AlarmTuning,
  List,
  listTuningChanges,
  Request,
  TuningChange,
  TuningOffer as TuningOfferRecord,
  TuningProof,
  tuneAlarm,
  untuneAlarm,
} from '@linewarden/contract'
import { Refusal, tuningDays } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { AlarmTiming, CompiledLimit, NoTiming, Span, Tuned, TuningOffer } from '@linewarden/rules/alarm'
import {
  compileLimits,
  limitWithTiming,
  offerTuning,
  proofOfTuning,
  replayLimit,
  spansToReplay,
  timingOf,
  tunedLimits,
} from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { Semaphore } from '../../lib/serial.ts'
import type { PlantLine } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { NotedTuning } from '../../store/alarm/schema.ts'
import type { KeptTuning, Reading, TunedPlace } from '../../store/alarm/tuning.ts'
import { changesOfTuning, changeTuning, keptTuning, pastOfAlarm, readingsOf } from '../../store/alarm/tuning.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'
import type { TunedLines } from './tuned-lines.ts'

/** What is replayed at most of one alarm: some days of a value each second. Of more the newest counts. */
const maxReadings = 200_000
const maxSteps = 20_000
/** However much there is to be read, nobody waits longer for an offer; what was read until then counts. */
const maxReadingMs = 8_000
/** Replays of one server at once. */
const atOnce = new Semaphore(2)

/** A limit of one point of a line, as it ships. */
interface Tunable {
  readonly line: PlantLine
  readonly place: TunedPlace
  readonly limit: CompiledLimit
  readonly shipped: AlarmTiming
}

/** Delays and dead band of one alarm of one line: what is offered, what is in force, and who changed it. */
export function createTuning(
  { database, plant, clock }: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>,
  { seenEvent, eventToChange }: SeenEvents,
  tunedLines: TunedLines,
) {
  return {
    async tuning(actor: Actor, eventId: string): Promise<AlarmTuning> {
      const found = tunableOf(await seenEvent(actor, eventId))
      if (typeof found === 'string') return { ...nothing, NotTunable: found }
      return record(found, await withRowSecurity(database, actor.scope, (db) => keptTuning(db, found.place)))
    },

    async tuningOffer(actor: Actor, eventId: string): Promise<TuningOfferRecord> {
      const found = tunableToChange(await seenEvent(actor, eventId))
      return atOnce.run(async () => {
        const { from, to, readings, tuned } = await pastOf(actor, found)
        const offer = readings === 0 ? 'noReadings' : offerTuning(tuned)
        return {
          ...{ From: from, To: to, Readings: readings },
          ...(typeof offer === 'string' ? { None: offer, Offer: null } : { None: null, Offer: offerRecord(offer) }),
        }
      })
    },

    /** The proof is made anew: what is applied is borne out by the readings of this moment. */
    async tune(
      actor: Actor,
      eventId: string,
      { Version, Timing, Reason }: Request<typeof tuneAlarm>['body'],
    ): Promise<AlarmTuning> {
      const row = await eventToTune(actor, eventId)
      const found = tunableToChange(row)
      const kept = await keptTuning(database, found.place)
      if ((kept?.version ?? 0) !== Version) throw new Refusal('changed meanwhile')
      const wanted = { onDelayMs: Timing.OnDelayMs, offDelayMs: Timing.OffDelayMs, deadBandShare: Timing.DeadBandShare }
      const proof = await atOnce.run(async () => {
        const { readings, tuned } = await pastOf(actor, found)
        return readings === 0 ? null : proofOfTuning(tuned, wanted)
      })
      if (!proof) throw new Refusal('tuning not proven')
      const { before, after, longestDelayMs, longestMissedMs } = proof
      const noted = { ...wanted, proof: { before, after, longestDelayMs, longestMissedMs } }
      return change(actor, row, found, {
        version: Version,
        before: timingInForce(found.limit, kept),
        after: noted,
        reason: Reason,
        restored: false,
      })
    },

    async untune(actor: Actor, eventId: string, { Version, Reason }: Request<typeof untuneAlarm>['body']): Promise<AlarmTuning> {
      const row = await eventToTune(actor, eventId)
      const found = tunableToChange(row)
      const kept = await keptTuning(database, found.place)
      if ((kept?.version ?? 0) !== Version) throw new Refusal('changed meanwhile')
      if (!kept?.inForce) throw new Refusal('not tuned')
      const [before, after] = [timingInForce(found.limit, kept), found.shipped]
      return change(actor, row, found, { version: Version, before, after, reason: Reason, restored: true })
    },

    async tuningChanges(
      actor: Actor,
      eventId: string,
      { Page = 1, Size = 10 }: Request<typeof listTuningChanges>['query'],
    ): Promise<List<TuningChange>> {
      const found = tunableOf(await seenEvent(actor, eventId))
      if (typeof found === 'string') return { items: [], total: 0 }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        changesOfTuning(db, found.place, { page: Page, size: Size }),
      )
      const items = rows.map(
        (row): TuningChange => ({
          ...{ Version: row.version, At: row.at.getTime(), By: row.actor, Reason: row.reason, Restored: row.restored },
          Before: timingRecord(row.before),
          After: timingRecord(row.after),
          Proof: row.after.proof ? proofRecord(row.after.proof) : null,
        }),
      )
      return { items, total }
    },
  }

  /** Whoever tunes changes what everybody in the project is called for: a single gateway that is shared is not enough. */
  async function eventToTune(actor: Actor, eventId: string): Promise<EventRow> {
    const row = await eventToChange(actor, eventId)
    if (!actor.sees(row.project_id)) throw new Refusal('access denied')
    return row
  }

  function tunableOf({ line_id, key, point }: EventRow): Tunable | NoTiming | 'noLimit' {
    const line = line_id === null ? undefined : plant.lines.get(line_id)
    const alarm = line?.device.family.alarms.find((each) => each.key === key)
    if (!line || !alarm) return 'noLimit'
    const shipped = timingOf(alarm)
    if (typeof shipped === 'string') return shipped
    const { device, ratedCurrentA, reported } = line
    const { family, model } = device
    const limit = compileLimits({ family, model, ratedCurrentA, reported }).find(
      (each) => each.alarm.key === key && each.point === point,
    )
    return limit ? { line, place: { lineId: line.id, key, point: limit.point }, limit, shipped } : 'noLimit'
  }

  function tunableToChange(row: EventRow): Tunable {
    const found = tunableOf(row)
    if (typeof found === 'string') throw new Refusal(refusals[found])
    return found
  }

  /** What the alarm did, and its readings around those times, as far as they are there and are not too many. */
  async function pastOf(actor: Actor, { line, place, limit, shipped }: Tunable) {
    const to = clock()
    const since = to - tuningDays * dayMs
    const kept = await keptTuning(database, place)
    const { steps, actedAt } = await withRowSecurity(database, actor.scope, (db) => pastOfAlarm(db, place, since, maxSteps))
    const from = steps.length + actedAt.length >= maxSteps ? (steps[0]?.at ?? since) : since
    const periodMs = line.device.reportingPeriodMs ?? line.device.gateway.reportingPeriodMs
    const read = await readNewest(actor, line.id, limit.slot, spansToReplay(steps, { from, to }, periodMs))
    const timing = timingInForce(limit, kept)
    const tuned: Tuned = {
      ...{ priority: limit.alarm.priority, timing, shipped },
      actedAt: actedAt.filter((at) => at >= (read.from ?? from)),
      replay: (tried) => read.spans.flatMap((readings) => replayLimit(limitWithTiming(limit, tried), readings)),
    }
    return { from: read.from ?? from, to, readings: read.count, tuned }
  }

  /** The newest first, day by day. `from`: where it was given up; null: all were read. */
  async function readNewest(actor: Actor, lineId: number, slot: number, spans: readonly Span[]) {
    const read = linesSeenBy(database, actor.scope, [lineId])
    const began = performance.now()
    const days: { readonly spans: readonly Span[]; readonly readings: readonly Reading[] }[] = []
    let left = maxReadings
    let from: number | null = null
    for (const own of daysOf(spans).reverse()) {
      if (left === 0 || performance.now() - began > maxReadingMs) {
        from ??= days.at(-1)?.spans[0]?.from ?? null
        break
      }
      const readings = await read((db) => readingsOf(db, { lineId, slot }, own, left))
      if (readings.length === left) from = readings[0]?.[0] ?? null
      left -= readings.length
      days.push({ spans: own, readings })
    }
    const all = days.reverse().flatMap(({ readings }) => readings)
    return { from, count: all.length, spans: splitBy(all, spans) }
  }

  async function change(
    actor: Actor,
    row: EventRow,
    found: Tunable,
    change: {
      readonly version: number
      readonly before: AlarmTiming
      readonly after: NotedTuning
      readonly reason: string
      readonly restored: boolean
    },
  ): Promise<AlarmTuning> {
    const audit = {
      ...by(
        actor,
        clock(),
        change.restored ? 'tuning.restore' : 'tuning.edit',
        plant.projects.get(row.project_id)?.ownerId ?? null,
      ),
      subject: { kind: 'event', id: numberOf(row.event_id) },
    } as const
    const written = { ...change, place: found.place, reason: change.reason.trim() }
    const done = await changeTuning(database, written, audit)
    if (done === 'changed') throw new Refusal('changed meanwhile')
    await tunedLines.read()
    return record(found, done)
  }
}

const refusals = {
  notTunable: 'tuning not allowed',
  byEquipment: 'tuning by equipment',
  noLimit: 'tuning of lines only',
} as const

const nothing: AlarmTuning = {
  ...{ NotTunable: null, Shipped: null, InForce: null, IsTuned: false, Version: 0, ChangedAt: null, ChangedBy: null },
}

/** As ingest evaluates it: within the bounds, whatever is stored. */
function timingInForce(limit: CompiledLimit, kept: KeptTuning | null): AlarmTiming {
  const [now = limit] = tunedLimits([limit], () => (kept?.inForce ? kept.timing : undefined))
  const { onDelayMs, offDelayMs, deadBandShare } = now.alarm
  return { onDelayMs, offDelayMs, deadBandShare }
}

const record = (found: Tunable, kept: KeptTuning | null): AlarmTuning => ({
  NotTunable: null,
  Shipped: timingRecord(found.shipped),
  InForce: timingRecord(timingInForce(found.limit, kept)),
  IsTuned: kept?.inForce === true,
  Version: kept?.version ?? 0,
  ChangedAt: kept?.changedAt ?? null,
  ChangedBy: kept?.changedBy ?? null,
})

const timingRecord = ({ onDelayMs, offDelayMs, deadBandShare }: AlarmTiming): AlarmTimingRecord => ({
  ...{ OnDelayMs: onDelayMs, OffDelayMs: offDelayMs, DeadBandShare: deadBandShare },
})

const proofRecord = (proof: NonNullable<NotedTuning['proof']>): TuningProof => ({
  ...{ Before: proof.before.raises, After: proof.after.raises },
  ...{ LongestDelayMs: proof.longestDelayMs, LongestMissedMs: proof.longestMissedMs },
})

const changesOf = { offDelayMs: 'OffDelayMs', deadBandShare: 'DeadBandShare', onDelayMs: 'OnDelayMs' } as const

const offerRecord = (offer: TuningOffer): TuningOfferRecord['Offer'] => ({
  ...{ Changes: changesOf[offer.changes], Timing: timingRecord(offer.timing), Proof: proofRecord(offer) },
})

/** Cut where days end, because readings lie so. */
function daysOf(spans: readonly Span[]): Span[][] {
  const days = new Map<number, Span[]>()
  for (const { from, to } of spans)
    for (let at = from; at < to; ) {
      const day = Math.floor(at / dayMs)
      const end = Math.min(to, (day + 1) * dayMs)
      const own = days.get(day) ?? []
      days.set(day, own)
      own.push({ from: at, to: end })
      at = end
    }
  return [...days.values()]
}

/** By the times that they were read for: between two of these nothing is known, so each is replayed by itself. */
function splitBy(readings: readonly Reading[], spans: readonly Span[]): readonly (readonly Reading[])[] {
  let next = 0
  return spans.flatMap(({ to }) => {
    const first = next
    while (next < readings.length && (readings[next]?.[0] ?? to) < to) next++
    return next > first ? [readings.slice(first, next)] : []
  })
}
