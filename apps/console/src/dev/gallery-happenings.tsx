import type { EventRecord, LineState } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { ServerAway } from '../app/notify/offline-banner.tsx'
import { PopUp } from '../areas/alarm/pop-ups.tsx'
import { Age } from '../plant/age.tsx'
import { serverNow } from '../ui/use-now.ts'

const secondMs = 1_000

function receivedAgo(ms: number, Quality: LineState['Quality'] = 'good'): LineState {
  const ReceivedAt = serverNow() - ms
  return {
    LineID: 1,
    At: ReceivedAt,
    ReceivedAt,
    Quality,
    Values: [],
    States: {},
    PositionAt: null,
    PositionSince: null,
    Active: [],
    Tags: 0,
    Pending: null,
  }
}

/** Of a moment ago, of yesterday, of a gateway that is away, by a clock that is wrong, both, and never. */
export function Ages() {
  const [states] = useState(() => ({
    now: receivedAgo(3 * secondMs),
    hours: receivedAgo(26 * hourMs),
    clock: receivedAgo(3 * secondMs, 'clock'),
    both: receivedAgo(2 * hourMs, 'clock'),
  }))
  return (
    <div className="row ages">
      <Age state={states.now} current />
      <Age state={states.hours} current={false} />
      <Age state={states.clock} current />
      <Age state={states.both} current={false} />
      <Age state={undefined} current={false} />
    </div>
  )
}

const raised = Date.UTC(2026, 0, 15, 2, 30)

const overcurrent: EventRecord = {
  EventID: '1',
  Kind: 'alarm',
  Priority: 'high',
  Key: 'current.alarm',
  Label: { zh: '过流报警', en: 'Overcurrent alarm' },
  Point: 'current.a',
  Value: 71.26,
  Limit: 63,
  Unit: 'A',
  State: 'active',
  HouseID: 1,
  DeviceID: 1,
  LineID: 1,
  ControllerID: 'C-1',
  LineNo: 1,
  Where: {
    HouseName: '华东精密制造',
    GatewayName: '1# 低压配电室',
    LineName: '一个相当长的线路名称，弹窗里放不下，必须在某处截断',
  },
  RaisedAt: raised,
  LastRaisedAt: raised,
  Raises: 1,
  AddTime: raised,
  AcknowledgedAt: null,
  AcknowledgedBy: null,
  ReturnedAt: null,
  AcknowledgedUntil: null,
  Shelved: null,
  Suppressed: null,
  IncidentID: null,
  Role: null,
  Announced: 1,
  SeriesID: '1',
  Occurrences: 1,
  IsNewest: true,
  Chatter: null,
  Fleeting: false,
  Evidence: 'none',
  Historical: false,
}
const offline = { Key: 'gateway.offline', Label: { zh: '网关离线', en: 'Gateway offline' } }
const bare = {
  Point: null,
  Value: null,
  Limit: null,
  Unit: '',
  LineID: null,
  ControllerID: null,
  LineNo: null,
  Where: { HouseName: null, GatewayName: '1# 低压配电室', LineName: null },
}

/** Nobody acknowledges one: it is dealt with where it is. */
const order: EventRecord = {
  ...overcurrent,
  ...bare,
  EventID: '9',
  Kind: 'order',
  Priority: 'low',
  Key: 'order.dispatched',
  Label: { zh: '新工单：设备维修', en: 'New work order: device repair' },
  State: null,
}

/** Each kind, and each way an event may stand while its pop-up is still open. */
const events: readonly EventRecord[] = [
  overcurrent,
  { ...overcurrent, EventID: '2', Raises: 3 },
  { ...overcurrent, EventID: '3', State: 'returned', ReturnedAt: raised + hourMs },
  { ...overcurrent, ...bare, ...offline, EventID: '5', Kind: 'fault', Priority: 'medium' },
  {
    ...overcurrent,
    EventID: '6',
    Kind: 'warning',
    Priority: 'low',
    Label: { zh: '过流预警', en: 'Overcurrent warning' },
    Limit: null,
  },
]

const alone = (head: EventRecord) => ({ ramp: head.EventID, head, events: [head] })
const nothing = () => undefined
/** Nobody is signed in here: of tags nothing is asked. */
const queryClient = new QueryClient()

/** What comes up by itself: new events, and that the server is away. */
export function Happenings() {
  const [since] = useState(serverNow)
  const [asked, setAsked] = useState(0)
  return (
    <>
      <h2>Pop-ups, server away</h2>
      <QueryClientProvider client={queryClient}>
        <div className="popped">
          {events.map((event) => (
            <PopUp key={event.EventID} group={alone(event)} mayAcknowledge mayView onClose={nothing} />
          ))}
          <PopUp group={alone({ ...overcurrent, EventID: '7' })} mayAcknowledge={false} mayView onClose={nothing} />
          <PopUp group={alone({ ...overcurrent, EventID: '8' })} mayAcknowledge={false} mayView={false} onClose={nothing} />
          <PopUp group={alone(order)} mayAcknowledge mayView onClose={nothing} />
        </div>
      </QueryClientProvider>
      <ServerAway since={since} onRetry={() => setAsked(asked + 1)} />
      <p className="mute">Asked again: {asked}</p>
    </>
  )
}
