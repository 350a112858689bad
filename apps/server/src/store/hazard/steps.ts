import type { AlarmKind, Priority } from '@linewarden/equipment'
import { alarmKinds } from '@linewarden/equipment'
import type { AlarmAct, AlarmState } from '@linewarden/rules/alarm'
import { activeAlarmStates, isAnnouncedAgain } from '@linewarden/rules/alarm'
import type { CountedAlarm, CountedStep } from '@linewarden/rules/hazard'
import { chatterLookback, chatterLookbackMs } from '@linewarden/rules/hazard'
import type pg from 'pg'

/** A step with the alarm that it is of, and the zone by whose days it is counted. */
export interface StoredStep {
  readonly eventId: string
  /** 0 and below: of an event that has no steps of its own. */
  readonly stepId: string
  readonly alarm: CountedAlarm
  readonly step: CountedStep
  readonly timeZone: string
}

interface AlarmRow {
  readonly event_id: string
  readonly gateway_id: number | null
  readonly project_id: number
  readonly device_id: number | null
  readonly line_id: number | null
  readonly key: string
  readonly kind: AlarmKind
  readonly priority: Priority
  readonly historical: boolean
  readonly time_zone: string
}

interface StepRow extends AlarmRow {
  readonly step_id: string
  readonly act: AlarmAct
  readonly at: Date
  readonly from_state: AlarmState | null
  readonly to_state: AlarmState
  readonly announced: boolean | null
  readonly raised_at: Date | null
  readonly first_raised_at: Date
  readonly called_at: Date | null
  readonly acted_on: boolean | null
  readonly before: Date[] | null
}

interface BareRow extends AlarmRow {
  readonly raised_at: Date
  readonly returned_at: Date | null
  readonly acknowledged_at: Date | null
  readonly has_return: boolean
  readonly has_acknowledgement: boolean
}

const alarmColumns = `event.event_id, event.gateway_id, event.project_id, coalesce(event.device_id, line.device_id) as device_id, event.line_id,
  event.key, event.kind, event.historical, project.time_zone`
const alarmJoins = `join project on project.project_id = event.project_id left join line on line.line_id = event.line_id`

/** What these steps are counted as; one that was counted before keeps the priority it had then. `eventIds` and `stepIds` stand side by side. */
export async function readSteps(
  client: pg.ClientBase,
  eventIds: readonly string[],
  stepIds: readonly string[],
): Promise<StoredStep[]> {
  if (stepIds.length === 0) return []
  const { rows } = await client.query<StepRow>(
    `select ${alarmColumns}, coalesce(formerly.priority, event.priority) as priority, step.step_id, step.act, step.at, step.from_state, step.to_state, step.announced, raised.at as raised_at,
       event.raised_at as first_raised_at, called.at as called_at, acted.on as acted_on, before.at as before
     from unnest($1::bigint[], $2::bigint[]) as due (event_id, step_id)
       join event_transition step on step.event_id = due.event_id and step.step_id = due.step_id
       join event on event.event_id = step.event_id
       ${alarmJoins}
       left join event_counted formerly on formerly.event_id = step.event_id and formerly.step_id = step.step_id
       left join lateral (
         select former.at, former.step_id from event_transition former
         where former.event_id = step.event_id and former.step_id < step.step_id and former.act = 'raise'
         order by former.step_id desc limit 1
       ) raised on true
       left join lateral (
         select former.at from event_transition former
         where former.event_id = step.event_id and former.step_id < step.step_id and former.to_state = 'active'
           and former.act in ('raise', 'expire', 'shelfEnd', 'release', 'alone')
         order by former.step_id desc limit 1
       ) called on step.act = 'acknowledge'
       left join lateral (
         select exists (select from event_transition former
           where former.event_id = step.event_id and former.step_id < step.step_id
             and former.step_id > coalesce(raised.step_id, 0) and former.actor is not null) as on
       ) acted on step.act = 'return'
       left join lateral (
         select array_agg(at order by at desc) as at from (
           (select former.at from event_transition former
             where former.event_id = step.event_id and former.step_id < step.step_id and former.act = 'raise'
             order by former.step_id desc limit ${chatterLookback})
           union all
           (select former.at from event other join event_transition former using (event_id)
             where other.line_id = event.line_id and other.key = event.key and coalesce(other.point, '') = coalesce(event.point, '')
               and other.event_id < event.event_id and other.raised_at > step.at - interval '1 hour' and other.raised_at <= step.at
               and former.act = 'raise' and former.at <= step.at)
         ) raises where at > step.at - $3 * interval '1 ms'
       ) before on step.act = 'raise'
     where event.kind = any($4)`,
    [eventIds, stepIds, chatterLookbackMs, alarmKinds],
  )
  return rows.map((row) => ({
    ...{ eventId: row.event_id, stepId: row.step_id },
    ...{ alarm: alarmOf(row), timeZone: row.time_zone, step: stepOf(row) },
  }))
}

/** The same of those among these events that have no steps of their own, from before steps were kept: by what the event itself shows. */
export async function readBareEvents(client: pg.ClientBase, eventIds: readonly string[]): Promise<StoredStep[]> {
  if (eventIds.length === 0) return []
  const has = (act: AlarmAct) =>
    `exists (select from event_transition step where step.event_id = event.event_id and step.act = '${act}')`
  const { rows } = await client.query<BareRow>(
    `select ${alarmColumns}, event.priority, event.raised_at, event.returned_at, event.acknowledged_at, ${has('return')} as has_return,
       ${has('acknowledge')} as has_acknowledgement
     from event ${alarmJoins}
     where event.event_id = any($1::bigint[]) and event.state is not null and event.kind = any($2)
       and not exists (select from event_transition step
         where step.event_id = event.event_id and step.act = 'raise' and step.from_state is null)`,
    [eventIds, alarmKinds],
  )
  return rows.flatMap((row) => {
    const alarm = alarmOf(row)
    return [...bareSteps(row)].map((step, i) => ({
      ...{ eventId: row.event_id, stepId: String(-i) },
      ...{ alarm, step, timeZone: row.time_zone },
    }))
  })
}

function* bareSteps(row: BareRow): Generator<CountedStep> {
  const { historical } = row
  const raised = row.raised_at.getTime()
  const none = { announced: false, historical, activeSince: null, calledAt: null, actedOn: false, raisesBefore: [] }
  yield { ...none, act: 'raise', at: raised, announced: !historical }
  const returned = row.returned_at?.getTime()
  const acknowledged = row.acknowledged_at?.getTime()
  if (acknowledged !== undefined && !row.has_acknowledgement)
    yield { ...none, act: 'acknowledge', at: acknowledged, calledAt: raised }
  if (returned === undefined || row.has_return || historical) return
  const actedOn = acknowledged !== undefined && acknowledged <= returned
  yield { ...none, act: 'return', at: returned, activeSince: raised, actedOn }
}

const alarmOf = (row: AlarmRow): CountedAlarm => ({
  gatewayId: row.gateway_id,
  projectId: row.project_id,
  deviceId: row.device_id,
  lineId: row.line_id,
  key: row.key,
  kind: row.kind,
  priority: row.priority,
})

function stepOf(row: StepRow): CountedStep {
  const raisedBefore = row.raised_at ?? row.first_raised_at
  const wasActive = activeAlarmStates.some((state) => state === row.from_state)
  const isActive = activeAlarmStates.some((state) => state === row.to_state)
  return {
    act: row.act,
    at: row.at.getTime(),
    announced: row.announced ?? announcedThen(row, raisedBefore.getTime()),
    historical: row.historical,
    activeSince: wasActive && !isActive ? raisedBefore.getTime() : null,
    calledAt: row.act === 'acknowledge' ? (row.called_at ?? raisedBefore).getTime() : null,
    actedOn: row.acted_on ?? false,
    raisesBefore: (row.before ?? []).map((at) => at.getTime()),
  }
}

/** Of steps from before it was noted: as it was decided then, but for what was silent. */
function announcedThen({ act, from_state, historical, priority, at }: StepRow, raisedBefore: number): boolean {
  if (act !== 'raise' || historical) return false
  return from_state === null || isAnnouncedAgain(priority, raisedBefore, at.getTime())
}
