import { priorities } from '@linewarden/equipment'
import { hazardActs, hazardSources, hazardStates, maxRiskDays } from '@linewarden/rules/hazard'
import { orderStatuses } from '@linewarden/rules/workorder'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket, maxExportedRows } from '../../core/file-ticket.ts'
import {
  ControllerID,
  exact,
  id,
  maybe,
  optional,
  orNull,
  ownUuid,
  requiredText,
  Text,
  time,
  Version,
} from '../../core/schemas.ts'
import { EventPlace, EventRecord } from '../alarm/alarm.ts'
import { OrderVerification } from '../workorder/order.ts'

const hazard = { area: 'hazard', permission: 'hazard.workorder', scope: { kind: 'own' } } as const

export const HazardID = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const Level = Type.Enum([...priorities])
const State = Type.Enum([...hazardStates], {
  description:
    'open > ordered (an order sees to it) > verifying (processed) > gone (proved); accepted: run with until a day, and then open again',
})
const Source = Type.Enum([...hazardSources], { description: 'What showed it first' })

export const Hazard = Type.Object(
  {
    HazardID: Type.Integer(),
    HouseID: Type.Integer(),
    TimeZone: Type.String({ description: 'Of its project: its days end by it' }),
    DeviceID: orNull(Type.Integer({ description: 'The gateway; null: at a named place, or of the project as a whole' })),
    ControllerID: orNull(Type.String()),
    LineID: orNull(Type.Integer()),
    LineNo: orNull(Type.Integer()),
    Where: EventPlace,
    Key: Type.String({ description: 'Of one place and key there is one hazard at a time' }),
    Label: Text,
    Level,
    Source,
    State,
    FirstSeen: Type.Integer(),
    LastSeen: Type.Integer(),
    Count: Type.Integer({ description: 'How many alarms, findings, tests, checks and patrols showed it' }),
    RiskUntil: orNull(time('Accepted until then; null: it is not')),
    Order: orNull(
      Type.Object(
        { OrderID: Type.Integer(), Number: Type.String(), Status: Type.Enum([...orderStatuses]) },
        { ...exact, description: 'The newest' },
      ),
    ),
    Verification: orNull({ ...OrderVerification, description: 'How far it is proved to be gone while no order sees to it' }),
    Version: Type.Integer(),
    AcceptRefusal: orNull(Text),
  },
  exact,
)
export type Hazard = Type.Static<typeof Hazard>

const countsOf = <const K extends string>(keys: readonly K[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, Type.Integer()])) as Record<K, Type.TInteger>, exact)

/** Which hazards: each field narrows it further. */
const hazardFilter = {
  CityID: optional(id),
  HouseID: optional(id),
  DeviceID: optional(id),
  ControllerID: optional(ControllerID),
  LineID: optional(id),
  Level: optional(Level),
  State: optional(Type.Enum([...hazardStates, 'there'], { description: 'there: every state but gone' })),
  Source: optional(Source),
  Text: optional(maybe(64, 'Part of what it is called, or of the name of its gateway or line')),
} as const
const inProject = { kind: 'project', id: 'HouseID', optional: true, part: true } as const

export const queryHazards = call({
  ...hazard,
  name: 'queryHazards',
  method: 'POST',
  path: '/hazards/query',
  reads: true,
  scope: inProject,
  shows: ['hazards'],
  summary: 'Hazards that I see: the gravest first, of one level those found last',
  body: Type.Object(
    {
      ...hazardFilter,
      Before: optional(
        Type.String({
          pattern: '^[1-4]\\.[0-9]{1,10}$',
          description: '`Next` of the answer that came before, with the same filter: what follows it, whatever came meanwhile',
        }),
      ),
      Size: optional(Type.Integer({ minimum: 1, maximum: 200, description: '50' })),
    },
    exact,
  ),
  datas: Hazard,
  about: Type.Object(
    {
      Next: orNull(Type.String({ description: '`Before` of the next page; null: this is the last' })),
      States: countsOf(hazardStates),
      Levels: countsOf(priorities),
    },
    { ...exact, description: 'How many there are of each state and level, each under the other filters' },
  ),
})

export const exportHazards = call({
  ...hazard,
  name: 'exportHazards',
  method: 'POST',
  path: '/hazards/report',
  reads: true,
  scope: inProject,
  summary: `Prepare a file of hazards, ${maxExportedRows} at most; its one-use ticket starts the download at /downloads/{Ticket}`,
  body: Type.Object({ ...hazardFilter, ...asFile }, exact),
  data: FileTicket,
})

/** Something that happened to a hazard; nothing of it is ever changed. */
export const HazardStep = Type.Object(
  {
    StepID: Type.String(),
    At: Type.Integer(),
    Act: Type.Enum([...hazardActs], { description: 'seen: something more showed it. order: it moved with its order' }),
    From: orNull(State),
    To: State,
    Actor: orNull(Type.String({ description: 'Null: the platform' })),
    Reason: Type.String({ description: 'Of what got graver: its level' }),
    Until: orNull(Type.Integer()),
    Source: orNull(Source),
    OrderNumber: orNull(Type.String()),
  },
  exact,
)
export type HazardStep = Type.Static<typeof HazardStep>

/** What showed it. */
export const HazardOrigin = Type.Object(
  {
    Source,
    SourceID: Type.String({ description: 'Of an alarm or a finding its EventID; of a health check `TestID:key`' }),
    At: Type.Integer({ description: 'When it showed it last' }),
    Level,
  },
  exact,
)
export type HazardOrigin = Type.Static<typeof HazardOrigin>

export const getHazard = call({
  ...hazard,
  name: 'getHazard',
  method: 'GET',
  path: '/hazards/:HazardID',
  shows: ['hazards'],
  summary: 'One hazard: what showed it, its alarms as they are now, and everything that happened to it',
  params: Type.Object({ HazardID }, exact),
  data: Type.Object(
    {
      Hazard,
      Sources: Type.Array(HazardOrigin, { description: 'The newest first, up to 100' }),
      Events: Type.Array(EventRecord, { description: 'Its newest alarms and findings, as far as they are kept' }),
      Steps: Type.Array(HazardStep, { description: 'The oldest first, the newest 200' }),
    },
    exact,
  ),
})

export const acceptHazard = call({
  ...hazard,
  name: 'acceptHazard',
  method: 'PUT',
  path: '/hazards/accept',
  audited: true,
  movesEquipment: false,
  touches: ['hazards'],
  subject: [{ kind: 'hazard', id: 'HazardID' }],
  summary: 'Run with a hazard until a day, for a reason: an administrator. Then it is open again by itself',
  body: Type.Object(
    {
      HazardID,
      Version,
      ActID: { ...ownUuid, description: 'Made once per intent: sending it again changes nothing more' },
      UntilDay: Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description: `YYYY-MM-DD, by its project, and all of that day; at most ${maxRiskDays} days ahead`,
      }),
      Reason: requiredText(500),
    },
    exact,
  ),
  data: Hazard,
})
