import type { List, lineFeed, lineTrips, Reply, Request, setFeed, TripAnalysis } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import * as stored from '../../store/control/trip.ts'
import type { Database } from '../../store/core/database.ts'
import { readRange } from '../../store/monitor/readings.ts'
import { targetOf } from './gate.ts'
import { commandRecord } from './records.ts'

type Sees = Pick<Actor, 'seesGateway'>

const maxTrips = 50
const beforeMs = 60_000
const afterMs = 10_000
/** The cause is reported together with the opening. */
const causeMs = 5_000

/** What happened around a trip, so that somebody finds the cause before the line is energised again. */
export function createTripAnalysis({ database, plant, clock }: { database: Database; plant: Plant; clock: () => number }) {
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
      const { upstream, downstream, feederUnseen } = await seenNeighboursOf(actor, line)
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
      const told =
        trip?.cause ??
        causeOf(own.filter(({ raised_at }) => raised_at.getTime() >= at - causeMs)) ??
        (await latestCause(line, eventId))
      // Whatever was ordered then: what opened for another cause was opened by no person.
      const opener = told === null || told === 'remote' || told === 'selfTest' ? command : null
      const cause = told ?? (opener && (opener.action === 'trip' ? 'remote' : 'selfTest'))
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
        Upstream: upstream.map((each) => neighbourLine(each, openedAt(each.id))),
        FeederUnseen: feederUnseen,
        Downstream: downstream.map((each) => neighbourLine(each, openedAt(each.id))),
      }
    },

    async neighbours(actor: Sees, line: PlantLine): Promise<Reply<typeof lineFeed>> {
      const { upstream, downstream, feederUnseen } = await seenNeighboursOf(actor, line)
      return {
        Upstream: upstream.map((each) => neighbourLine(each, null)),
        FeederUnseen: feederUnseen,
        Downstream: downstream.map((each) => neighbourLine(each, null)),
      }
    },

    async setFeed(actor: Actor, line: PlantLine, { FedBy, Was }: Request<typeof setFeed>['body']): Promise<null> {
      const upstreamLine = FedBy && plant.lineAt(FedBy.ControllerID, FedBy.LineNo)
      const sameProject = upstreamLine?.device.gateway.project === line.device.gateway.project
      if (FedBy && (!upstreamLine || !sameProject || !actor.seesGateway(upstreamLine.device.gateway)))
        throw new Refusal('line not exists')
      const present = (await stored.upstreamLines(database, [line.id])).get(line.id) ?? null
      const shown = shownUpstream(actor, present === null ? undefined : plant.lines.get(present))
      const was = Was === null || Was === 'unseen' ? Was : plant.lineAt(Was.ControllerID, Was.LineNo)
      if (was !== shown) throw new Refusal('changed meanwhile')
      // A loop may lead through lines that the actor does not see: it is one all the same, and the refusal names none of them.
      if (upstreamLine && (upstreamLine === line || (await neighboursOf(line))[1].includes(upstreamLine)))
        throw new Refusal('feeds itself')
      const audit = {
        ...by(actor, clock(), 'line.feed', tenantOfLine(line)),
        subject: aboutLine(line),
        after: upstreamLine && targetOf(upstreamLine),
      }
      const saved = await stored.saveUpstreamLine(
        database,
        line.id,
        { upstreamId: upstreamLine?.id ?? null, was: present },
        audit,
      )
      if (!saved) throw new Refusal('changed meanwhile')
      return null
    },
  }

  /** The state holds the cause of the newest opening only. */
  async function latestCause(line: PlantLine, eventId: string): Promise<string | null> {
    const [newest] = await stored.openingsOf(database, line.id, 1)
    const cause = newest?.event_id === eventId ? (line.states.get('trip.cause') ?? null) : null
    return cause === 'none' ? null : cause
  }

  /** Upstream and downstream lines of gateways that the actor sees, and whether the direct upstream line is none of them. */
  async function seenNeighboursOf(actor: Sees, line: PlantLine) {
    const isSeen = ({ device }: PlantLine) => actor.seesGateway(device.gateway)
    const [above, below] = await neighboursOf(line)
    return {
      upstream: above.filter(isSeen),
      downstream: below.filter(isSeen),
      feederUnseen: shownUpstream(actor, above[0]) === 'unseen',
    }
  }

  /** Upstream lines, nearest first, and all downstream lines in the order of the tree, whoever sees them. */
  async function neighboursOf(line: PlantLine): Promise<readonly [readonly PlantLine[], readonly PlantLine[]]> {
    const lines = [...plant.lines.values()].filter(({ device }) => device.gateway.project === line.device.gateway.project)
    const upstreamId = await stored.upstreamLines(
      database,
      lines.map(({ id }) => id),
    )
    const above: PlantLine[] = []
    for (let id = upstreamId.get(line.id); id !== undefined; id = upstreamId.get(id)) {
      const next = plant.lines.get(id)
      if (!next || next === line || above.includes(next)) break
      above.push(next)
    }
    const below = new Set<number>([line.id])
    for (let grown = true; grown; ) {
      grown = false
      for (const [id, upstreamLine] of upstreamId)
        if (below.has(upstreamLine) && !below.has(id)) {
          below.add(id)
          grown = true
        }
    }
    below.delete(line.id)
    return [above, lines.filter(({ id }) => below.has(id)).sort(asInTree)]
  }
}

/** By gateway, device and line number: the plant holds them as they happened to be born. */
const asInTree = (a: PlantLine, b: PlantLine): number =>
  compareCodes(a.device.gateway.number, b.device.gateway.number) ||
  compareCodes(a.device.controllerId, b.device.controllerId) ||
  a.lineNo - b.lineNo

const compareCodes = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The direct upstream line as this person sees it; null: none. */
function shownUpstream(actor: Sees, upstreamLine: PlantLine | undefined): PlantLine | 'unseen' | null {
  if (!upstreamLine) return null
  return actor.seesGateway(upstreamLine.device.gateway) ? upstreamLine : 'unseen'
}

const neighbourLine = (line: PlantLine, openedAt: number | null) => ({
  LineID: line.id,
  ControllerID: line.device.controllerId,
  LineNo: line.lineNo,
  LineName: line.name,
  Position: line.states.get('position') ?? null,
  OpenedAt: openedAt,
})

/** The trip alarm that came with the opening names the cause. */
const causeOf = (events: readonly EventRow[]): string | null =>
  events.findLast(({ key }) => key.startsWith('trip.'))?.key.slice('trip.'.length) ?? null
