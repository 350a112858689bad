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
import { Refusal } from '@linewarden/contract'
import type { AlarmTiming, TuningOffer } from '@linewarden/rules/alarm'
import { offerTuning, proofOfTuning } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { Semaphore } from '../../lib/serial.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import type { NotedTuning } from '../../store/alarm/schema.ts'
import type { KeptTuning } from '../../store/alarm/tuning.ts'
import { changesOfTuning, changeTuning, keptTuning } from '../../store/alarm/tuning.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'
import type { Tunable } from './tunable.ts'
import { timingInForce, tunableOf, tunableToChange } from './tunable.ts'
import type { TunedLines } from './tuned-lines.ts'
import { createTuningPast } from './tuning-past.ts'

/** Replays of one server at once. */
const atOnce = new Semaphore(2)

/** Delays and dead band of one alarm of one line: what is offered, what is in force, and who changed it. */
export function createTuning(
  { database, plant, clock }: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>,
  { seenEvent, eventToChange }: SeenEvents,
  tunedLines: TunedLines,
) {
  const pastOf = createTuningPast({ database, clock })
  return {
    ...createTuningChange({ database, plant, clock }, eventToChange, tunedLines, pastOf),

    async tuning(actor: Actor, eventId: string): Promise<AlarmTuning> {
      const found = tunableOf(plant, await seenEvent(actor, eventId))
      if (typeof found === 'string') return { ...nothing, NotTunable: found }
      return record(found, await withRowSecurity(database, actor.scope, (db) => keptTuning(db, found.place)))
    },

    async tuningOffer(actor: Actor, eventId: string): Promise<TuningOfferRecord> {
      const found = tunableToChange(plant, await seenEvent(actor, eventId))
      return atOnce.run(async () => {
        const { from, to, readings, tuned } = await pastOf(actor, found)
        const offer = readings === 0 ? 'noReadings' : offerTuning(tuned)
        return {
          ...{ From: from, To: to, Readings: readings },
          ...(typeof offer === 'string' ? { None: offer, Offer: null } : { None: null, Offer: offerRecord(offer) }),
        }
      })
    },

    async tuningChanges(
      actor: Actor,
      eventId: string,
      { Page = 1, Size = 10 }: Request<typeof listTuningChanges>['query'],
    ): Promise<List<TuningChange>> {
      const found = tunableOf(plant, await seenEvent(actor, eventId))
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
}

/** Applies a tuning, and takes it back. */
function createTuningChange(
  { database, plant, clock }: Pick<AlarmDeps, 'database' | 'plant' | 'clock'>,
  eventToChange: SeenEvents['eventToChange'],
  tunedLines: TunedLines,
  pastOf: ReturnType<typeof createTuningPast>,
) {
  return {
    /** The proof is made anew: what is applied is borne out by the readings of this moment. */
    async tune(
      actor: Actor,
      eventId: string,
      { Version, Timing, Reason }: Request<typeof tuneAlarm>['body'],
    ): Promise<AlarmTuning> {
      const row = await eventToTune(actor, eventId)
      const found = tunableToChange(plant, row)
      const kept = await keptTuning(database, found.place)
      if ((kept?.version ?? 0) !== Version) throw new Refusal('changed meanwhile')
      const wanted = { onDelayMs: Timing.OnDelayMs, offDelayMs: Timing.OffDelayMs, deadBandShare: Timing.DeadBandShare }
      const proof = await atOnce.run(async () => {
        const { readings, tuned } = await pastOf(actor, found)
        return readings === 0 ? null : proofOfTuning(tuned, wanted)
      })
      // What somebody else has applied meanwhile leaves nothing to prove.
      if (!proof && ((await keptTuning(database, found.place))?.version ?? 0) !== Version) throw new Refusal('changed meanwhile')
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
      const found = tunableToChange(plant, row)
      const kept = await keptTuning(database, found.place)
      if ((kept?.version ?? 0) !== Version) throw new Refusal('changed meanwhile')
      if (!kept?.inForce) throw new Refusal('not tuned')
      const [before, after] = [timingInForce(found.limit, kept), found.shipped]
      return change(actor, row, found, { version: Version, before, after, reason: Reason, restored: true })
    },
  }

  /** Whoever tunes changes what everybody in the project is called for: a single gateway that is shared is not enough. */
  async function eventToTune(actor: Actor, eventId: string): Promise<EventRow> {
    const row = await eventToChange(actor, eventId)
    if (!actor.sees(row.project_id)) throw new Refusal('access denied')
    return row
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

const nothing: AlarmTuning = {
  ...{ NotTunable: null, Shipped: null, InForce: null, IsTuned: false, Version: 0, ChangedAt: null, ChangedBy: null },
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

export const timingRecord = ({ onDelayMs, offDelayMs, deadBandShare }: AlarmTiming): AlarmTimingRecord => ({
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
