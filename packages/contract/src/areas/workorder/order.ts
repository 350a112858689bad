import { alarmKinds, priorities } from '@linewarden/equipment'
import { hazardStates } from '@linewarden/rules/hazard'
import {
  closeReasons,
  maxDescription,
  maxHelpers,
  orderActs,
  orderRoles,
  orderStatuses,
  orderTypes,
  pauseReasons,
  personActs,
  reminderDaysRange,
  validDaysRange,
} from '@linewarden/rules/workorder'
import * as Type from 'typebox'
import { exact, orNull, ownUuid, Text, time, uuid, Version } from '../../core/schemas.ts'
import { EventPlace } from '../alarm/alarm.ts'

export const OrderID = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** What every act on an order carries. */
export const actFields = {
  OrderID,
  Version,
  ActID: { ...ownUuid, description: 'Made once per intent: sending it again changes nothing more, and answers the same order' },
} as const

const phoneTimes = {
  PhoneTime: Type.Integer({ ...{ minimum: 0, maximum: 253_402_300_799_999 }, description: 'When it was done, by the phone' }),
  Now: Type.Integer({
    ...{ minimum: 0, maximum: 253_402_300_799_999 },
    description: 'What the phone’s clock shows as this is sent',
  }),
} as const
/** What was written on a phone before it could be sent. */
export const PhoneTimes = Type.Object(phoneTimes, {
  ...exact,
  description: 'Of what waited on a phone: clocks of the order go by when the server is told, and this stands beside it',
})
/** The same of an act: the order may have been written anew meanwhile, and moved by nobody else. */
export const PhoneAct = Type.Object(
  {
    ...phoneTimes,
    SeenStep: Type.String({ pattern: '^[0-9]{1,18}$', description: 'The last step of the order that the phone had seen' }),
  },
  {
    ...exact,
    description:
      'Of an act that waited on a phone: `Version` is not compared. Refused once anybody else has moved the order since `SeenStep`',
  },
)
export type PhoneAct = Type.Static<typeof PhoneAct>

/** Figures and texts that people write. */
export const orderTitle = Type.String({ maxLength: 120, description: 'Left empty: as its alarm, or its place, is called' })
export const orderDescription = Type.String({ maxLength: maxDescription })
export const orderDays = {
  ValidDays: Type.Integer({ minimum: 0, maximum: 1_000, description: `${validDaysRange.from} to ${validDaysRange.to}` }),
  ReminderDays: Type.Integer({
    ...{ minimum: 0, maximum: 1_000 },
    description: `${reminderDaysRange.from} to ${reminderDaysRange.to}, and no more than ValidDays`,
  }),
  WorkingDaysOnly: Type.Boolean({ description: 'ValidDays counts workdays of the project' }),
} as const
export const Helpers = Type.Array(uuid, { maxItems: maxHelpers, uniqueItems: true })

const Person = Type.Object(
  { AccountID: orNull(Type.String({ description: 'Null: that account is gone' })), Name: Type.String() },
  exact,
)
export type OrderPerson = Type.Static<typeof Person>

const Reading = Type.Object(
  {
    UsedMs: Type.Integer(),
    AllowedMs: Type.Integer(),
    Mark: Type.Enum(['onTime', 'near', 'over'], { description: 'near: from 80 % on' }),
  },
  exact,
)
export type OrderReading = Type.Static<typeof Reading>

export const OrderVerification = Type.Object(
  {
    State: Type.Enum(['none', 'running', 'verified', 'contradicted', 'noData'], {
      description: 'none: nothing that could be measured. contradicted: the value is back. noData: too little was reported',
    }),
    HaveMs: Type.Integer({ description: 'For so long it has stayed back' }),
    NeedMs: Type.Integer(),
    Missing: orNull(Type.Enum(['cause', 'closed', 'return', 'data', 'load', 'selfTest', 'exam', 'patrol'])),
  },
  exact,
)
export type OrderVerification = Type.Static<typeof OrderVerification>

const ActChoice = Type.Object(
  {
    Act: Type.Enum([...personActs]),
    Who: Type.Array(Type.Enum([...orderRoles]), { description: 'Who may' }),
    Refusal: orNull(
      Type.Object({ Key: Type.String(), Text }, { ...exact, description: 'Why the caller may not now; null: may' }),
    ),
  },
  exact,
)
export type OrderActChoice = Type.Static<typeof ActChoice>

export const WorkOrder = Type.Object(
  {
    OrderID: Type.Integer(),
    Number: Type.String({ description: 'YYYYMM-nnnnn of whoever owns the project' }),
    Type: Type.Enum([...orderTypes]),
    Status: Type.Enum([...orderStatuses]),
    Title: Type.String(),
    Label: orNull({ ...Text, description: 'As the alarm is called that it was made from' }),
    AlarmKind: orNull(Type.Enum([...alarmKinds])),
    Description: Type.String(),
    Priority: Type.Enum([...priorities]),
    HouseID: Type.Integer(),
    TimeZone: Type.String({ description: 'Of its project: due days and clocks go by it' }),
    DeviceID: orNull(Type.Integer({ description: 'The gateway; null: of the project as a whole' })),
    ControllerID: orNull(Type.String()),
    LineID: orNull(Type.Integer()),
    LineNo: orNull(Type.Integer()),
    Where: EventPlace,
    Hazard: orNull(Type.Object({ HazardID: Type.Integer(), State: Type.Enum([...hazardStates]), Count: Type.Integer() }, exact)),
    EventIDs: Type.Array(Type.String(), { description: 'Alarms it was made from, and those that joined it' }),
    PersonInCharge: orNull(Person),
    Helpers: Type.Array(Person),
    Founder: Person,
    Processor: orNull(Person),
    AlarmTime: orNull(time('when the alarm was raised that it was made from')),
    CreatedAt: Type.Integer(),
    DispatchTime: orNull(Type.Integer()),
    TakenAt: orNull(Type.Integer()),
    DealTime: orNull(Type.Integer({ description: 'When it was processed last' })),
    AcceptedAt: orNull(Type.Integer()),
    ClosedAt: orNull(Type.Integer()),
    ...orderDays,
    DueDay: orNull(Type.String({ description: 'YYYY-MM-DD, the last day on time; null: nobody has it' })),
    Clock: orNull(
      Type.Object({ Respond: Reading, Resolve: Reading }, { ...exact, description: 'Null: nobody has it, or it is over' }),
    ),
    Paused: orNull(Type.Object({ Until: Type.Integer(), Why: Type.Enum([...pauseReasons]) }, exact)),
    Cause: Type.String(),
    Done: Type.String({ description: 'What was done' }),
    Parts: Type.String(),
    LabourMin: orNull(Type.Integer()),
    Verification: orNull(OrderVerification),
    CloseReason: orNull(Type.Enum([...closeReasons])),
    DuplicateOf: orNull(Type.String({ description: 'The number of the order that it repeats' })),
    Returns: Type.Integer(),
    Reopened: Type.Integer(),
    Version: Type.Integer(),
    Acts: Type.Array(ActChoice, { description: 'What its state lets happen' }),
  },
  exact,
)
export type WorkOrder = Type.Static<typeof WorkOrder>

/** Something that happened to an order, or that somebody wrote about it; nothing of it is ever changed. */
export const OrderStep = Type.Object(
  {
    StepID: Type.String(),
    At: Type.Integer(),
    Act: Type.Enum(['insert', 'update', 'join', 'comment', 'arrive', 'remind', ...orderActs]),
    From: orNull(Type.Enum([...orderStatuses])),
    To: Type.Enum([...orderStatuses]),
    Actor: orNull(Type.String({ description: 'Null: the platform' })),
    Text: Type.String({ description: 'What they wrote, or the reason they gave' }),
    Person: orNull(Type.String({ description: 'Who was put in charge; of a reminder, who was reminded' })),
    Until: orNull(Type.Integer({ description: 'Of a pause' })),
    Why: orNull(Type.Enum([...pauseReasons, ...closeReasons])),
    PhoneTime: orNull(Type.Integer({ description: 'When it was done, by the phone it waited on; null: it was sent at once' })),
    ClockOffsetMs: orNull(Type.Integer({ description: 'How far the server’s clock was ahead of that phone’s as it was sent' })),
  },
  exact,
)
export type OrderStep = Type.Static<typeof OrderStep>

export const orderPhotoRoles = ['before', 'after', 'other'] as const
/** So many photos an order has, and so many a comment on it. */
export const [maxOrderPhotos, maxCommentPhotos] = [24, 4]

/** A photo of an order, or of a comment on it. */
export const OrderPhoto = Type.Object(
  {
    Hash: Type.String({ description: 'By which it is read: SHA-256 of what was sent' }),
    Role: Type.Enum([...orderPhotoRoles]),
    StepID: orNull(Type.String({ description: 'The comment that it came with; null: it is the order’s own' })),
    Width: Type.Integer(),
    Height: Type.Integer(),
    Size: Type.Integer({ description: 'Bytes, as it is stored' }),
    Actor: Type.String({ description: 'Who sent it' }),
    SentAt: Type.Integer(),
    TakenAt: orNull(Type.Integer({ description: 'By the clock of whoever took it' })),
    MayTakeBack: Type.Boolean({ description: 'The caller may take it back' }),
  },
  exact,
)
export type OrderPhoto = Type.Static<typeof OrderPhoto>
