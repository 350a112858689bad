import type { acknowledgeEvent, acknowledgeEvents, acknowledgeMatching, EventRecord, Reply, Request } from '@linewarden/contract'
import { maxOutcomes, Refusal } from '@linewarden/contract'
import { acknowledgeable, isAnotherCount, unacknowledgedStates } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { acknowledgeEach } from '../../store/alarm/acknowledge.ts'
import type { Changed } from '../../store/alarm/change.ts'
import { changedAtOnce } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { countMatching, matchingAfter } from '../../store/alarm/event-list.ts'
import { eventRecord, eventTopic } from '../../store/alarm/event-record.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AlarmDeps } from './deps.ts'
import { eventFilterOf } from './filter.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'

type Outcomes = Reply<typeof acknowledgeEvents>
type Outcome = Outcomes['Outcomes'][number]['Outcome']

/** Who has seen an event; whoever watches reads of it at once. */
export function createAcknowledging(deps: AlarmDeps, { eventToChange, eventsToChange }: SeenEvents) {
  const { database, plant, hub, clock } = deps
  return {
    /** Somebody has seen it; it is not thereby over. */
    async acknowledge(
      actor: Actor,
      eventId: string,
      { Raises }: Request<typeof acknowledgeEvent>['query'],
    ): Promise<EventRecord> {
      const row = await eventToChange(actor, eventId)
      if (acknowledgeable(row.state) === 'never') throw new Refusal('event not exists')
      const raises = Raises === undefined ? undefined : new Map([[row.event_id, Raises]])
      const done = (await acknowledgeRows(actor, [row], raises)).get(row.event_id)
      if (!done) throw new Refusal('event not exists')
      if (became(done) === 'raisedAgain') throw new Refusal('raised again')
      return eventRecord(done.row, plant)
    },

    /** The same for several, each by itself: that one is gone keeps no other from being acknowledged. */
    async acknowledgeAll(
      actor: Actor,
      { EventIDs: eventIds, Raises = [] }: Request<typeof acknowledgeEvents>['body'],
    ): Promise<Outcomes> {
      if (Raises.length > 0 && Raises.length !== eventIds.length) throw notOneEach(eventIds.length)
      const seen = await eventsToChange(actor, eventIds)
      const raises = new Map(Raises.map((count, index) => [numberOf(eventIds[index] ?? ''), count] as const))
      const done = await acknowledgeRows(actor, [...seen.values()], raises)
      return countedOutcomes(
        eventIds.map((eventId) => {
          const row = seen.get(numberOf(eventId))
          if (!row) return [eventId, 'gone']
          if (acknowledgeable(row.state) === 'never') return [eventId, 'notPermitted']
          return [eventId, became(done.get(row.event_id))]
        }),
      )
    },

    /** Events that were found for the caller, none that was raised more often than `shown` has for it, or else than it was found. */
    async acknowledgeFound(
      actor: Actor,
      rows: readonly EventRow[],
      shown: ReadonlyMap<string, number> = new Map(),
    ): Promise<Outcomes> {
      const done = await acknowledgeRows(
        actor,
        rows.filter(({ state }) => acknowledgeable(state) !== 'never'),
        new Map([...raisesOf(rows), ...shown]),
      )
      return countedOutcomes(
        rows.map(({ event_id, state }) => {
          if (acknowledgeable(state) === 'never') return [event_id, 'notPermitted']
          return [event_id, became(done.get(event_id))]
        }),
      )
    },

    /** All of a filter that wait for it, as many as the caller was shown, and nothing that came or was raised again since. */
    async acknowledgeMatching(actor: Actor, body: Request<typeof acknowledgeMatching>['body']): Promise<Outcomes> {
      if (actor.shared) throw new Refusal('access denied')
      const project = body.Filter.HouseID === undefined ? null : (plant.projects.get(body.Filter.HouseID) ?? null)
      if (body.Filter.HouseID !== undefined && !(project && actor.seesPart(project.id))) throw new Refusal('project not exists')
      const filter = await eventFilterOf(deps, actor, project, { ...body.Filter, Mark: body.Mark })
      const waiting = { filter, states: unacknowledgedStates, upTo: body.UpTo }
      const now = await withRowSecurity(database, actor.scope, (db) => countMatching(db, waiting))
      if (isAnotherCount(body.Expect, now)) throw new Refusal('more came meanwhile', { expected: body.Expect, now })
      const outcomes: [string, Outcome][] = []
      for (let after = '0'; ; ) {
        const rows = await withRowSecurity(database, actor.scope, (db) => matchingAfter(db, waiting, after, changedAtOnce))
        const done = await acknowledgeRows(actor, rows, raisesOf(rows))
        for (const { event_id } of rows) outcomes.push([event_id, became(done.get(event_id))])
        const last = rows.at(-1)
        if (!last || rows.length < changedAtOnce) return countedOutcomes(outcomes)
        after = last.event_id
      }
    },
  }

  async function acknowledgeRows(actor: Actor, rows: readonly EventRow[], raises?: ReadonlyMap<string, number>) {
    const at = clock()
    const auditOf = ({ event_id, project_id }: EventRow) => ({
      ...by(actor, at, 'event.acknowledge', plant.projects.get(project_id)?.ownerId ?? null),
      subject: { kind: 'event' as const, id: numberOf(event_id) },
    })
    const done = await acknowledgeEach(database, rows, auditOf, raises)
    const changed = [...done.values()].flatMap(({ row, changed }) => (changed ? [row] : []))
    if (changed.length > 0) hub.publish({ live: changed.map((row) => eventTopic(plant, row, false)) })
    return done
  }
}

function notOneEach(count: number): Refusal {
  const Text = { zh: `须与 EventIDs 一一对应，共 ${count} 个`, en: `One for each of EventIDs, ${count} in all` }
  return new Refusal('invalid parameter', {}, [{ Path: 'body.Raises', Text }])
}

const raisesOf = (rows: readonly EventRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ event_id, raises }) => [event_id, raises]))

function became(done: Changed | undefined): Outcome {
  if (!done) return 'gone'
  if (done.changed) return 'acknowledged'
  return acknowledgeable(done.row.state) === 'waits' ? 'raisedAgain' : 'already'
}

function countedOutcomes(outcomes: readonly (readonly [eventId: string, outcome: Outcome])[]): Outcomes {
  const count = (wanted: Outcome) => outcomes.filter(([, outcome]) => outcome === wanted).length
  const isDone = ([, outcome]: (typeof outcomes)[number]) => outcome === 'acknowledged'
  const first = [...outcomes.filter((each) => !isDone(each)), ...outcomes.filter(isDone)].slice(0, maxOutcomes)
  return {
    Acknowledged: count('acknowledged'),
    Already: count('already'),
    RaisedAgain: count('raisedAgain'),
    Gone: count('gone'),
    NotPermitted: count('notPermitted'),
    Outcomes: first.map(([EventID, Outcome]) => ({ EventID, Outcome })),
  }
}
