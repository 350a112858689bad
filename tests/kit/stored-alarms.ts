import type { AlarmKind, Priority } from '@linewarden/equipment'
import type { AlarmState } from '@linewarden/rules/alarm'
import type { Stack } from './stack.ts'

/** An alarm of the past with the steps of its life; what is left out is that of an overcurrent alarm of line 1 of A-T1. Unix ms. */
export interface StoredAlarm {
  readonly raisedAt: number
  readonly returnedAt?: number
  readonly acknowledgedAt?: number
  readonly by?: string
  readonly controllerId?: string
  readonly lineNo?: number
  readonly kind?: AlarmKind
  readonly priority?: Priority
  readonly key?: string
  /** Over, where it is left out. */
  readonly state?: AlarmState
}

/** Stores alarms as if the equipment had raised and returned them, each announced, in this order. */
export async function storeAlarms(stack: Stack, alarms: readonly StoredAlarm[]): Promise<void> {
  const client = await stack.server.database.connect()
  try {
    for (const alarm of alarms) {
      const { controllerId = 'A-T1', lineNo = 1, kind = 'alarm', priority = 'high', key = 'current.alarm', by = 'a' } = alarm
      const line = stack.server.plant.lineAt(controllerId, lineNo)
      const isKnown = key === 'current.alarm'
      const { rows } = await client.query<{ event_id: string }>(
        `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at,
           returned_at, acknowledged_at, acknowledged_by, announced)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, $12, $13, 1) returning event_id`,
        [
          ...[kind, priority, key, isKnown ? '过流报警' : key, isKnown ? 'Overcurrent alarm' : key, alarm.state ?? 'normal'],
          ...[line?.device.gateway.project.id, line?.device.gateway.id, line?.id, new Date(alarm.raisedAt)],
          ...[dateOf(alarm.returnedAt), dateOf(alarm.acknowledgedAt), alarm.acknowledgedAt === undefined ? null : by],
        ],
      )
      const steps: (readonly [string, number, string | null, string, string | null])[] = [
        ['raise', alarm.raisedAt, null, 'active', null],
      ]
      if (alarm.acknowledgedAt !== undefined) steps.push(['acknowledge', alarm.acknowledgedAt, 'active', 'acknowledged', by])
      if (alarm.returnedAt !== undefined) steps.push(['return', alarm.returnedAt, 'active', 'returned', null])
      for (const [act, at, from, to, actor] of steps.toSorted(([, a], [, b]) => a - b))
        await client.query(
          `insert into event_transition (event_id, at, act, from_state, to_state, actor, announced) values ($1, $2, $3, $4, $5, $6, $7)`,
          [rows[0]?.event_id, new Date(at), act, from, to, actor, act === 'raise'],
        )
    }
  } finally {
    await client.end()
  }
}

const dateOf = (at: number | undefined): Date | null => (at === undefined ? null : new Date(at))
