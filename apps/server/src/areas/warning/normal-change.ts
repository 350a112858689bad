import type { explainWarning, Request, Warning } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { AlarmAct } from '@linewarden/rules/alarm'
import { foldAlarm, openAlarmStates } from '@linewarden/rules/alarm'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import { changeEvents } from '../../store/alarm/change.ts'
import type { EventRow } from '../../store/alarm/event.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import type { NewBaseline } from '../../store/warning/baseline.ts'
import { storeBaseline } from '../../store/warning/baseline.ts'
import { numberOf } from '../alarm/seen-events.ts'
import type { WarningDeps } from './deps.ts'
import type { Findings } from './findings.ts'
import { dayText, localDay } from './line-facts.ts'

/** How far back a new baseline may begin. */
const maxBaselineDays = 400

/** A person who knows better: what a detector found is how the line is now. */
export function createNormalChange({ database, plant, hub, clock }: WarningDeps, { findingOf, findingRecords }: Findings) {
  return {
    /** Ends a finding as explained; its line is learnt anew from the day that is given. */
    async explain(actor: Actor, eventId: string, { FromDay, Reason }: Request<typeof explainWarning>['body']): Promise<Warning> {
      const row = await findingOf(actor, eventId)
      if (actor.shared) throw new Refusal('access denied')
      const at = clock()
      const today = localDay(plant.projects.get(row.project_id)?.timeZone ?? 'UTC', at)
      const fromDay = Date.parse(FromDay) / dayMs
      if (!(fromDay >= today - maxBaselineDays && fromDay <= today) || dayText(fromDay) !== FromDay)
        throw new Refusal('baseline day wrong', { from: dayText(today - maxBaselineDays), to: dayText(today) })
      if (!openAlarmStates.some((state) => state === row.state)) throw new Refusal('warning over')
      const explained = { reason: Reason.trim(), fromDay, at }
      const baseline =
        row.line_id === null
          ? null
          : { ...explained, eventId: row.event_id, lineId: row.line_id, detector: row.key, actor: actor.userName }
      // What has returned already ends by being acknowledged.
      const seen = await step(actor, row, 'acknowledge', explained, baseline)
      const done = await step(actor, seen, 'return', explained, baseline)
      publish(done)
      const [record] = await findingRecords(actor, [{ ...row, ...done }])
      if (!record) throw new Error('a finding without a record')
      return record
    },
  }

  /** What is over stands on its line, or its device, no more. */
  function publish(done: EventRow): void {
    const line = done.line_id === null ? undefined : plant.lines.get(done.line_id)
    const device = done.device_id === null ? undefined : plant.devices.get(done.device_id)
    if (done.state === 'normal') {
      line?.alarms.delete(alarmKeyOf(done.key, done.point))
      device?.openEvents.delete(done.key)
    }
    const lines = line ? [line] : []
    hub.publish({ lines, withEvents: lines, live: [eventTopic(plant, done, false)] })
  }

  async function step(
    actor: Actor,
    found: EventRow,
    act: AlarmAct,
    { reason, fromDay, at }: Pick<NewBaseline, 'reason' | 'fromDay' | 'at'>,
    baseline: NewBaseline | null,
  ): Promise<EventRow> {
    const done = await changeEvents(database, [found], {
      stepOf: (row) =>
        row.state === null || row.state === 'normal'
          ? null
          : {
              step: { row: { ...row, state: row.state }, act, at, actor: actor.userName, reason },
              audit: {
                ...by(actor, at, 'event.explain', plant.projects.get(row.project_id)?.ownerId ?? null),
                subject: { kind: 'event', id: numberOf(row.event_id) },
                after: { from: dayText(fromDay), reason },
              },
            },
      alsoStore: async (trx, steps) => {
        const [made] = steps
        if (baseline && made && foldAlarm(made.step.row.state, act) === 'normal') await storeBaseline(trx, baseline)
      },
    })
    return done.get(found.event_id)?.row ?? found
  }
}
