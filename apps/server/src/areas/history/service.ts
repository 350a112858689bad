import type { exportHistory, HistoryPoint, HistorySeries, history, Reply, Request } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs, pointOf } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import type { Downloads } from '../../http/downloads.ts'
import type { Plant } from '../../plant/plant.ts'
import { eventsInRange } from '../../store/alarm/event.ts'
import { eventRecord } from '../../store/alarm/event-record.ts'
import type { Database } from '../../store/core/database.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import { linesSeenBy, withRowSecurity } from '../../store/core/row-security.ts'
import { exportOf } from './export.ts'
import type { Subject } from './series.ts'
import { readSeries } from './series.ts'

export type History = ReturnType<typeof createHistory>

const maxMs = 10 * 366 * dayMs
const maxEvents = 500

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly downloads: Downloads
  readonly clock: () => number
}

/** What the equipment reported, over any range. */
export function createHistory({ database, plant, downloads, clock }: Deps) {
  return {
    async read(actor: Actor, body: Request<typeof history>['body']): Promise<Reply<typeof history>> {
      const { From, To, Width } = body
      const subjects = subjectsOf(actor, body.Points)
      mustBeRange(From, To)
      const ask = (from: number, to: number): Promise<HistorySeries[]> =>
        readSeries(readerOf(actor, subjects), subjects, { from, to, width: Width, now: clock() })
      const lines = [...new Set(subjects.map(({ line }) => line))]
      const [Series, Previous, events] = await Promise.all([
        ask(From, To),
        body.Compare ? ask(Math.max(0, 2 * From - To), From) : [],
        withRowSecurity(database, actor.scope, (db) =>
          eventsInRange(db, {
            lineIds: lines.map(({ id }) => id),
            gatewayIds: [...new Set(lines.map(({ device }) => device.gateway.id))],
            from: From,
            to: To,
            most: maxEvents,
          }),
        ),
      ])
      return { From, To, Series, Previous, Events: events.rows.map((row) => eventRecord(row, plant)), EventsTotal: events.total }
    },

    /** Prepares a file; the ticket starts it. */
    export(actor: Actor, body: Request<typeof exportHistory>['body']): Reply<typeof exportHistory> {
      const subjects = subjectsOf(actor, body.Points)
      mustBeRange(body.From, body.To)
      return downloads.issue(actor, exportOf(readerOf(actor, subjects), subjects, body, clock()))
    },
  }

  function readerOf({ scope }: Actor, subjects: readonly Subject[]): ReadLines {
    const lineIds = subjects.map(({ line }) => line.id)
    return linesSeenBy(database, scope, lineIds)
  }

  /** The lines and points that were asked for; a line of a gateway that the actor does not see does not exist. */
  function subjectsOf(actor: Actor, points: readonly HistoryPoint[]): Subject[] {
    return points.map(({ LineID, Point }, index) => {
      const line = plant.lines.get(LineID)
      if (!line || !actor.seesGateway(line.device.gateway)) throw new Refusal('device not exists')
      const point = pointOf(line.device.family, Point)
      if (!point) {
        const text = { zh: '该设备没有这个测点', en: 'is not a point of this equipment' }
        throw new Refusal('invalid parameter', {}, [{ Path: `body.Points.${index}.Point`, Text: text }])
      }
      return { line, point }
    })
  }
}

function mustBeRange(from: number, to: number): void {
  if (to > from && to - from <= maxMs) return
  const text = { zh: '结束时间应晚于开始时间，且跨度不超过 10 年', en: 'must be after From, by at most 10 years' }
  throw new Refusal('invalid parameter', {}, [{ Path: 'body.To', Text: text }])
}
