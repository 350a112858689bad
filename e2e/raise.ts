import type { EventRecord } from '@linewarden/contract'
import type { Stack } from '@linewarden/testkit'

type Line = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

/** Tells every page of alarms of a line that have just been raised, numbered on from `first`, at these places. Nothing in the plant caused them. */
export function raise({ server }: Stack, line: Line, first: number, places: readonly string[]): void {
  const { gateway } = line.device
  const event = (Where: string, index: number): EventRecord => ({
    EventID: String(1_000_000 + first + index),
    Kind: 'alarm',
    Priority: 'high',
    Key: 'current.alarm',
    Label: { zh: '过流报警', en: 'Overcurrent alarm' },
    Point: null,
    Value: null,
    Limit: null,
    Unit: '',
    State: 'active',
    HouseID: gateway.project.id,
    DeviceID: gateway.id,
    LineID: line.id,
    ControllerID: line.device.controllerId,
    LineNo: line.lineNo,
    Where,
    RaisedAt: Date.now(),
    LastRaisedAt: Date.now(),
    Raises: 1,
    AddTime: Date.now(),
    AcknowledgedAt: null,
    AcknowledgedBy: null,
    ReturnedAt: null,
    Historical: false,
  })
  server.hub.publish({
    events: places.map((place, index) => ({
      event: event(place, index),
      isNew: true,
      projectId: gateway.project.id,
      gatewayId: gateway.id,
    })),
  })
}

/** Places of a flood. */
export const flood = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `第 ${first + index} 条`)
