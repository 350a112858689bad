import type { List, lineTrips, Reply, TripAnalysis } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { PlantLine } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import * as stored from '../../store/control/trip.ts'
import type { Database } from '../../store/core/database.ts'
import { readRange } from '../../store/monitor/readings.ts'
import { commandRecord } from './records.ts'
import type { Sees, UpstreamLines } from './upstream-lines.ts'

const maxTrips = 50
const beforeMs = 60_000
const afterMs = 10_000
/** The cause is reported together with the opening. */
const causeMs = 5_000

/** What happened around a trip, so that somebody finds the cause before the line is energised again. */
export function createTripAnalysis({ database, upstreamLines }: { database: Database; upstreamLines: UpstreamLines }) {
  return {
    async trips(line: PlantLine): Promise<Reply<typeof lineTrips>> {
      const items = (await stored.openingsOf(database, line.id, maxTrips)).map((row) => ({
        EventID: row.event_id,
        At: row.raised_at.getTime(),
      }))
      return { items, total: items.length } satisfies List<unknown>
    },

    async of(actor: Sees, line: PlantLine, eventId: string): Promise<TripAnalysis> {
      const opening = await stored.openingOf(database, line.id, eventId)
      if (!opening) throw new Refusal('event not exists')
      const at = opening.raised_at.getTime()
      const { family } = line.device
      const { upstream, downstream, feederUnseen } = await upstreamLines.seenBy(actor, line)
      const [readings, events, command, trip] = await Promise.all([
        readRange(database, line.id, at - beforeMs, at + afterMs),
        stored.eventsAround(
          database,
          [line, ...upstream, ...downstream].map(({ id }) => id),
          at - beforeMs,
          at + beforeMs,
        ),
        stored.commandThatOpened(database, opening),
        stored.tripOf(database, { lineId: line.id, eventId, at }, causeMs, afterMs),
      ])
      const own = events.filter(({ line_id, raised_at }) => line_id === line.id && raised_at.getTime() <= at + afterMs)
      const reportedCause =
        trip?.cause ??
        causeOf(own.filter(({ raised_at }) => raised_at.getTime() >= at - causeMs)) ??
        (await latestCause(line, eventId))
      // Whatever was ordered then: what opened for another cause was opened by no person.
      const opener = reportedCause === null || reportedCause === 'remote' || reportedCause === 'selfTest' ? command : null
      const cause = reportedCause ?? (opener && (opener.action === 'trip' ? 'remote' : 'selfTest'))
      const openedAt = (id: number) =>
        events.find(({ line_id, key }) => line_id === id && key === 'position.open')?.raised_at.getTime() ?? null
      return {
        At: at,
        Cause: cause,
        CauseRequired: trip?.waits ?? false,
        Explained: trip?.explained ?? null,
        ExplainedAt: trip?.explainedAt ?? null,
        Command: opener && commandRecord(opener, line),
        Points: family.points.map(({ key }) => key),
        Rows: readings.rows.map(([time, values, quality]) => [
          time,
          family.points.map(({ slot }) => values[slot] ?? null),
          quality,
        ]),
        Events: own.map((row) => ({
          EventID: row.event_id,
          At: row.raised_at.getTime(),
          Kind: row.kind,
          Label: { zh: row.label_zh, en: row.label_en },
        })),
        Upstream: upstream.map((each) => upstreamLines.neighbour(each, openedAt(each.id))),
        FeederUnseen: feederUnseen,
        Downstream: downstream.map((each) => upstreamLines.neighbour(each, openedAt(each.id))),
      }
    },
  }

  /** The state holds the cause of the newest opening only. */
  async function latestCause(line: PlantLine, eventId: string): Promise<string | null> {
    const [newest] = await stored.openingsOf(database, line.id, 1)
    const cause = newest?.event_id === eventId ? (line.states.get('trip.cause') ?? null) : null
    return cause === 'none' ? null : cause
  }
}

/** The trip alarm that came with the opening names the cause. */
const causeOf = (events: readonly EventRow[]): string | null =>
  events.findLast(({ key }) => key.startsWith('trip.'))?.key.slice('trip.'.length) ?? null
