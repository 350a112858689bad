import type { MessageKey, Reply, Request, shelveEvents, unshelveEvents } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { ShelveRefusal } from '@linewarden/rules/alarm'
import { isShelved, maxShelvings, refusalToShelve, shelvingsWithinMs } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Changed } from '../../store/alarm/change.ts'
import { changeEvents } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import { putOnShelf, shelvedWith, shelvingsOf, takeOffShelf } from '../../store/alarm/shelf.ts'
import type { AlarmDeps } from './deps.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'

const minuteMs = 60_000
const byId = (row: EventRow) => [row.event_id, row] as const

/** As each reason against it is told. */
const refusals: Readonly<Record<ShelveRefusal, MessageKey>> = {
  over: 'alarm over',
  danger: 'shelve not allowed',
  administrators: 'shelve by administrators',
  alreadyShelved: 'already shelved',
  tooOften: 'shelve too often',
}

/** Alarms that a person keeps silent for a while, and takes back. */
export function createShelving({ database, plant, hub, clock }: AlarmDeps, { eventsToChange }: SeenEvents) {
  return {
    async shelve(
      actor: Actor,
      { EventIDs, Minutes, Reason }: Request<typeof shelveEvents>['body'],
    ): Promise<Reply<typeof shelveEvents>> {
      const rows = await eventsToChange(actor, EventIDs)
      const at = clock()
      const until = at + Minutes * minuteMs
      const reason = Reason.trim()
      const shelvings = await shelvingsOf(database, [...rows.keys()], new Date(at - shelvingsWithinMs))
      const against = (row: EventRow) =>
        refusalToShelve(
          { ...row, shelvedUntil: row.shelved_until?.getTime() ?? null, shelvings: shelvings.get(row.event_id) ?? 0 },
          actor.administrator,
          at,
        )
      const refused = new Map<string, ShelveRefusal>()
      const done = await changeEvents(database, [...rows.values()], {
        stepOf(row) {
          const { state } = row
          const refusal = against(row)
          if (refusal) refused.set(row.event_id, refusal)
          if (refusal || state === null) return null
          return {
            step: { row: { ...row, state }, act: 'shelve', at, until, actor: actor.userName, reason },
            audit: { ...auditOf(actor, row, at, 'event.shelve'), after: { minutes: Minutes, reason } },
          }
        },
        alsoStore: (trx, steps) => putOnShelf(trx, steps, new Date(until)),
      })
      publish(done)
      return shelved(
        EventIDs.map((EventID) => {
          const changed = done.get(numberOf(EventID))
          if (!changed) return { EventID, Outcome: 'gone' }
          return { EventID, Outcome: changed.changed ? 'shelved' : (refused.get(changed.row.event_id) ?? 'over') }
        }),
      )
    },

    async unshelve(actor: Actor, { EventIDs }: Request<typeof unshelveEvents>['body']): Promise<Reply<typeof unshelveEvents>> {
      const named = await eventsToChange(actor, EventIDs)
      const at = clock()
      // What is on the shelf is the alarm of a place: its present event comes back, too, where a former one was named.
      const rows = new Map([...named, ...(await shelvedWith(database, [...named.keys()], new Date(at))).map(byId)])
      const done = await changeEvents(database, [...rows.values()], {
        stepOf(row) {
          const { state } = row
          if (state === null || !isShelved(row.shelved_until?.getTime() ?? null, at)) return null
          return {
            step: { row: { ...row, state }, act: 'unshelve', at, actor: actor.userName },
            audit: auditOf(actor, row, at, 'event.unshelve'),
          }
        },
        alsoStore: (trx, steps) =>
          takeOffShelf(
            trx,
            steps.map(({ step }) => step.row),
            new Date(at),
          ),
      })
      publish(done)
      const Outcomes = EventIDs.map((EventID) => {
        const changed = done.get(numberOf(EventID))
        return { EventID, Outcome: !changed ? 'gone' : changed.changed ? 'unshelved' : 'notShelved' } as const
      })
      return { Unshelved: Outcomes.filter(({ Outcome }) => Outcome === 'unshelved').length, Outcomes }
    },
  }

  function publish(done: ReadonlyMap<string, Changed>): void {
    const changed = [...done.values()].flatMap(({ row, changed }) => (changed ? [row] : []))
    if (changed.length > 0) hub.publish({ live: changed.map((row) => eventTopic(plant, row, false)) })
  }

  function auditOf(actor: Actor, row: EventRow, at: number, action: 'event.shelve' | 'event.unshelve') {
    const subject = { kind: 'event', id: numberOf(row.event_id) } as const
    return { ...by(actor, at, action, plant.projects.get(row.project_id)?.ownerId ?? null), subject }
  }
}

/** A person who could shelve none of what they wanted is told what stood against the first. */
function shelved(Outcomes: Reply<typeof shelveEvents>['Outcomes']): Reply<typeof shelveEvents> {
  const Shelved = Outcomes.filter(({ Outcome }) => Outcome === 'shelved').length
  const [first] = Outcomes
  if (Shelved > 0 || !first || first.Outcome === 'shelved') return { Shelved, Outcomes }
  if (first.Outcome === 'gone') throw new Refusal('event not exists')
  throw new Refusal(refusals[first.Outcome], { times: maxShelvings })
}
