import type { Stack } from '../kit/stack.ts'

type Line = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

/**
 * Raises alarms of a line, one for each of these labels, and tells every page. Nothing in the plant caused them: each is an alarm of its
 * own, and only a person ends it.
 */
export async function raise({ server }: Stack, line: Line, labels: readonly string[]): Promise<void> {
  const { gateway } = line.device
  const db = await server.database.connect()
  const { rows } = await db.query<{ event_id: string; key: string }>(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
     select 'alarm', 'high', replace(gen_random_uuid()::text, '-', ''), label, label, 'active', $1, $2, $3, now(), now()
     from unnest($4::text[]) with ordinality as given (label, nth) order by nth returning event_id, key`,
    [gateway.project.id, gateway.id, line.id, labels],
  )
  await db.end()
  const now = Date.now()
  const Where = { HouseName: gateway.project.name, GatewayName: gateway.name, LineName: line.name }
  server.hub.publish({
    live: rows.map(({ event_id: EventID, key: Key }, index) => ({
      to: { gateway },
      needs: null,
      message: {
        t: 'event',
        isNew: true,
        event: {
          ...{
            EventID,
            Key,
            Kind: 'alarm',
            Priority: 'high',
            State: 'active',
            Historical: false,
            Unit: '',
            Where,
          },
          ...{ Label: { zh: labels[index] ?? '', en: labels[index] ?? '' }, Point: null, Value: null, Limit: null },
          ...{ HouseID: gateway.project.id, DeviceID: gateway.id, LineID: line.id },
          ...{ ControllerID: line.device.controllerId, LineNo: line.lineNo },
          ...{ RaisedAt: now, LastRaisedAt: now, Raises: 1, AddTime: now },
          ...{ AcknowledgedAt: null, AcknowledgedBy: null, AcknowledgedUntil: null, ReturnedAt: null },
          ...{
            Shelved: null,
            Suppressed: null,
            IncidentID: null,
            Role: null,
            Announced: 1,
            Evidence: 'none',
            SeriesID: EventID,
            Occurrences: 1,
            IsNewest: true,
            Chatter: null,
            Fleeting: false,
          },
        },
      },
    })),
  })
}

/** Labels of a flood. */
export const flood = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `第 ${first + index} 条`)
