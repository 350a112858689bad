import {
  countedFrom,
  cycleMost,
  cycleUnits,
  maxAssignees,
  maxOwnItems,
  maxStops,
  roundKinds,
  windowDaysMost,
} from '@linewarden/rules/inspection'
import * as Type from 'typebox'
import { ControllerID, called, exact, id, optional, orNull, uuid } from '../../core/schemas.ts'
import { ItemID, OwnItem, PhotoOn, SignatureBy } from './checklist.ts'

export const PlanID = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
/** `YYYY-MM-DD` of the project's own days. */
export const Day = Type.String({ minLength: 10, maxLength: 10, description: 'YYYY-MM-DD, a day of the project' })

/** A gateway, a device of one, or a place with a name; exactly one of the three. */
export const PlanStop = Type.Object(
  {
    DeviceID: optional({ ...id, description: 'A gateway' }),
    ControllerID: optional(ControllerID),
    Place: optional({ ...called(60), description: 'A place with a name, as 2 号配电间' }),
  },
  exact,
)
export type PlanStop = Type.Static<typeof PlanStop>

export const Stops = Type.Array(PlanStop, { minItems: 1, maxItems: maxStops, description: 'In the order of the route' })

/** What a plan, or a round without one, asks for. */
export const asks = {
  Stops,
  LeftOut: Type.Array(ItemID, { maxItems: 200, uniqueItems: true, description: 'Items of the templates that are not asked for' }),
  OwnItems: Type.Array(OwnItem, { maxItems: maxOwnItems }),
  Signature: SignatureBy,
  PhotoOn,
  FourEyes: optional(Type.Boolean({ description: 'Approved by somebody other than the inspector. Default true' })),
} as const

/** What of a plan people write. */
export const planFields = {
  Name: called(60),
  Kind: Type.Enum([...roundKinds]),
  ...asks,
  Cycle: Type.Object(
    {
      Every: Type.Integer({ minimum: 1, maximum: cycleMost.day, description: `At most ${JSON.stringify(cycleMost)}` }),
      Unit: Type.Enum([...cycleUnits]),
    },
    exact,
  ),
  CountsFrom: Type.Enum([...countedFrom], { description: 'completion: a round done early or late moves the next due date' }),
  FirstDue: Day,
  WindowDays: Type.Object(
    {
      Before: Type.Integer({ minimum: 0, maximum: windowDaysMost }),
      After: Type.Integer({ minimum: 0, maximum: windowDaysMost }),
    },
    { ...exact, description: 'Both together are shorter than the cycle, so that no two rounds are open at once' },
  ),
  Assignees: Type.Array(uuid, { maxItems: maxAssignees, uniqueItems: true, description: 'Empty: whoever may open the page' }),
  Enabled: Type.Boolean(),
} as const

export const InspectionPerson = Type.Object(
  { AccountID: orNull(Type.String({ description: 'Null: that account is gone' })), Name: Type.String() },
  exact,
)
export type InspectionPerson = Type.Static<typeof InspectionPerson>

/** A stop as it is called now. */
const NamedStop = Type.Object(
  {
    Kind: Type.Enum(['gateway', 'device', 'place']),
    DeviceID: orNull(Type.Integer()),
    ControllerID: orNull(Type.String()),
    Place: orNull(Type.String()),
    Name: Type.String(),
    GatewayName: orNull(Type.String()),
    List: Type.String({ description: 'Which checklist' }),
    Gone: Type.Boolean({ description: 'No longer there: it is left out of rounds' }),
  },
  exact,
)

export const InspectionPlan = Type.Object(
  {
    PlanID: Type.Integer(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    TimeZone: Type.String(),
    ...planFields,
    Stops: Type.Array(NamedStop),
    Assignees: Type.Array(InspectionPerson),
    NextDue: orNull(Type.String({ description: 'YYYY-MM-DD; null: it is disabled, or waits for the completion of a round' })),
    Last: orNull(
      Type.Object(
        { RoundID: Type.String(), State: Type.String(), DueDay: orNull(Type.String()) },
        { ...exact, description: 'Its newest round' },
      ),
    ),
    Version: Type.Integer(),
  },
  exact,
)
export type InspectionPlan = Type.Static<typeof InspectionPlan>
