import type { explainWarning, Request, Warning } from '@linewarden/contract'
import { Refusal, zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { AlarmAct } from '@linewarden/rules/alarm'
import { openAlarmStates } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { changeEvents } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import { numberOf } from '../alarm/seen-events.ts'
import type { WarningDeps } from './deps.ts'
import type { Findings } from './findings.ts'

/** How far back a new baseline may begin. */
const maxBaselineDays = 400

/** A person who knows better: what a detector found is how the line is now. */
export function createNormalChange({ database, plant, hub, clock }: WarningDeps, { findingOf, findingRecords }: Findings) {
  return {
    /** Ends a finding as explained. */
    async explain(actor: Actor, eventId: string, { FromDay, Reason }: Request<typeof explainWarning>['body']): Promise<Warning> {
      const row = await findingOf(actor, eventId)
      if (actor.shared) throw new Refusal('access denied')
      const zone = zoneClock(plant.projects.get(row.project_id)?.timeZone ?? 'UTC')
      const dayOf = (at: number) => zone.text(at).slice(0, 10)
      const [from, to] = [dayOf(clock() - maxBaselineDays * dayMs), dayOf(clock())]
      if (FromDay < from || FromDay > to) throw new Refusal('baseline day wrong', { from, to })
      const isOpen = openAlarmStates.some((state) => state === row.state)
      if (!isOpen) throw new Refusal('warning over')
      const seen = await step(actor, row, 'acknowledge', { from: FromDay, reason: Reason.trim() })
      const done = await step(actor, seen, 'return', { from: FromDay, reason: Reason.trim() })
      hub.publish({ live: [eventTopic(plant, done, false)] })
      const [record] = await findingRecords(actor, [{ ...row, ...done }])
      if (!record) throw new Error('a finding without a record')
      return record
    },
  }

  async function step(actor: Actor, found: EventRow, act: AlarmAct, after: { from: string; reason: string }): Promise<EventRow> {
    const at = clock()
    const done = await changeEvents(database, [found], {
      stepOf: (row) =>
        row.state === null || row.state === 'normal'
          ? null
          : {
              step: { row: { ...row, state: row.state }, act, at, actor: actor.userName, reason: after.reason },
              audit: {
                ...by(actor, at, 'event.explain', plant.projects.get(row.project_id)?.ownerId ?? null),
                subject: { kind: 'event', id: numberOf(row.event_id) },
                after,
              },
            },
    })
    return done.get(found.event_id)?.row ?? found
  }
}
