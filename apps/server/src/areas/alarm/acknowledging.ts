import type { acknowledgeEvents, acknowledgeMatching, EventRecord, Reply, Request } from '@linewarden/contract'
import { maxOutcomes, Refusal } from '@linewarden/contract'
import { acknowledgeable, isAnotherCount, unacknowledgedStates } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { acknowledgeEach } from '../../store/alarm/acknowledge.ts'
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
    async acknowledge(actor: Actor, eventId: string): Promise<EventRecord> {
      const row = await eventToChange(actor, eventId)
      if (acknowledgeable(row.state) === 'never') throw new Refusal('event not exists')
      const done = (await acknowledgeRows(actor, [row])).get(row.event_id)
      if (!done) throw new Refusal('event not exists')
      return eventRecord(done.row, plant)
    },

    /** The same for several, each by itself: that one is gone keeps no other from being acknowledged. */
    async acknowledgeAll(actor: Actor, eventIds: readonly string[]): Promise<Outcomes> {
      const seen = await eventsToChange(actor, eventIds)
      const done = await acknowledgeRows(actor, [...seen.values()])
      return countedOutcomes(
        eventIds.map((eventId) => {
          const row = seen.get(numberOf(eventId))
          if (!row) return [eventId, 'gone']
          if (acknowledgeable(row.state) === 'never') return [eventId, 'notPermitted']
          return [eventId, done.get(row.event_id)?.changed ? 'acknowledged' : 'already']
        }),
      )
    },

    /** Events that were found for the caller. */
    async acknowledgeFound(actor: Actor, rows: readonly EventRow[]): Promise<Outcomes> {
      const done = await acknowledgeRows(
        actor,
        rows.filter(({ state }) => acknowledgeable(state) !== 'never'),
      )
      return countedOutcomes(
        rows.map(({ event_id, state }) => {
          if (acknowledgeable(state) === 'never') return [event_id, 'notPermitted']
          const became = done.get(event_id)
          return [event_id, !became ? 'gone' : became.changed ? 'acknowledged' : 'already']
        }),
      )
    },

    /** All of a filter that wait for it, as many as the caller was shown, and nothing that came since. */
    async acknowledgeMatching(actor: Actor, body: Request<typeof acknowledgeMatching>['body']): Promise<Outcomes> {
      if (actor.shared) throw new Refusal('access denied')
      const project = body.Filter.HouseID === undefined ? null : (plant.projects.get(body.Filter.HouseID) ?? null)
      if (body.Filter.HouseID !== undefined && !(project && actor.seesPart(project.id))) throw new Refusal('project not exists')
      const filter = await eventFilterOf(deps, actor, project, body.Filter)
      const waiting = { filter, states: unacknowledgedStates, upTo: body.UpTo }
      const now = await withRowSecurity(database, actor.scope, (db) => countMatching(db, waiting))
      if (isAnotherCount(body.Expect, now)) throw new Refusal('more came meanwhile', { expected: body.Expect, now })
      const outcomes: [string, Outcome][] = []
      for (let after = '0'; ; ) {
        const rows = await withRowSecurity(database, actor.scope, (db) => matchingAfter(db, waiting, after, changedAtOnce))
        const done = await acknowledgeRows(actor, rows)
        for (const { event_id } of rows) outcomes.push([event_id, done.get(event_id)?.changed ? 'acknowledged' : 'already'])
        const last = rows.at(-1)
        if (!last || rows.length < changedAtOnce) return countedOutcomes(outcomes)
        after = last.event_id
      }
    },
  }

  async function acknowledgeRows(actor: Actor, rows: readonly EventRow[]) {
    const at = clock()
    const done = await acknowledgeEach(database, rows, ({ event_id, project_id }) => ({
      ...by(actor, at, 'event.acknowledge', plant.projects.get(project_id)?.ownerId ?? null),
      subject: { kind: 'event', id: numberOf(event_id) },
    }))
    const changed = [...done.values()].flatMap(({ row, changed }) => (changed ? [row] : []))
    if (changed.length > 0) hub.publish({ live: changed.map((row) => eventTopic(plant, row, false)) })
    return done
  }
}

function countedOutcomes(outcomes: readonly (readonly [eventId: string, outcome: Outcome])[]): Outcomes {
  const count = (wanted: Outcome) => outcomes.filter(([, outcome]) => outcome === wanted).length
  const isDone = ([, outcome]: (typeof outcomes)[number]) => outcome === 'acknowledged'
  const first = [...outcomes.filter((each) => !isDone(each)), ...outcomes.filter(isDone)].slice(0, maxOutcomes)
  return {
    Acknowledged: count('acknowledged'),
    Already: count('already'),
    Gone: count('gone'),
    NotPermitted: count('notPermitted'),
    Outcomes: first.map(([EventID, Outcome]) => ({ EventID, Outcome })),
  }
}
