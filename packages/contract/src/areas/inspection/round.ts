import { priorities } from '@linewarden/equipment'
import { answerResults, arrivals, personRoundActs, roundBreaks, roundKinds, roundStates } from '@linewarden/rules/inspection'
import * as Type from 'typebox'
import { PhotoHash } from '../../core/photo.ts'
import { exact, optional, orNull, ownUuid, Text } from '../../core/schemas.ts'
import { Checklist, ItemID, PhotoOn, SignatureBy } from './checklist.ts'
import { InspectionPerson } from './plan.ts'

export const RoundID = { ...ownUuid, description: 'Made once, by the phone or the server' } as const
/** 1..n in the order of the route; of one round it stays. */
export const StopID = Type.Integer({ minimum: 1, maximum: 500 })

const Count = Type.Integer({ minimum: 0 })

/** Strokes on a screen of 1,000 by 500: x and y by turns. */
const Strokes = Type.Array(Type.Array(Type.Integer({ minimum: 0, maximum: 1_000 }), { minItems: 2, maxItems: 800 }), {
  minItems: 1,
  maxItems: 60,
})
/** A signature as it was drawn; no log tells it. */
export const Signature = Type.Object({ Strokes }, { ...exact, secret: true })
export type InspectionSignature = Type.Static<typeof Signature>

/** What an online round came to. */
const OnlineResult = Type.Object(
  {
    Lines: Count,
    Ok: { ...Count, description: 'Lines on which everything could be checked and is in order' },
    Defects: { ...Count, description: 'Lines with a defect' },
    Unknown: { ...Count, description: 'Lines of which something is not known, and nothing is a defect' },
    Checks: Type.Array(Type.Object({ Check: Type.String(), Text, Ok: Count, Defects: Count, Unknown: Count }, exact), {
      description: 'By what is checked',
    }),
    Hash: Type.String({ description: 'SHA-256 of all that was found, in order of lines' }),
  },
  exact,
)

const RoundActChoice = Type.Object(
  {
    Act: Type.Enum([...personRoundActs]),
    Refusal: orNull(
      Type.Object({ Key: Type.String(), Text }, { ...exact, description: 'Why the caller may not now; null: may' }),
    ),
  },
  exact,
)

export const InspectionRound = Type.Object(
  {
    RoundID: Type.String(),
    Number: Type.String({ description: 'R, year and month, and a number that runs on by owner: R202611-0012' }),
    Name: Type.String({ description: 'Of its plan, as it was called then' }),
    PlanID: orNull(Type.Integer({ description: 'Null: without a plan' })),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    TimeZone: Type.String(),
    Kind: Type.Enum([...roundKinds]),
    State: Type.Enum([...roundStates]),
    DueDay: orNull(Type.String({ description: 'YYYY-MM-DD; null: between due dates, or without a plan' })),
    FromDay: orNull(Type.String({ description: 'First day of its window' })),
    ToDay: orNull(Type.String({ description: 'Last day of its window: then it lapses, unless it was started' })),
    Assignees: Type.Array(InspectionPerson),
    Inspector: orNull({ ...InspectionPerson, description: 'Who started it; null: nobody yet, or the platform' }),
    StartedAt: orNull(Type.Integer({ description: 'Unix ms' })),
    FinishedAt: orNull(Type.Integer()),
    Approver: orNull({ ...InspectionPerson, description: 'Who approved or returned it' }),
    DecidedAt: orNull(Type.Integer()),
    Reason: Type.String({ description: 'Of a return or an abandonment' }),
    BrokeOff: orNull(
      Type.Object(
        { Key: Type.Enum([...roundBreaks]), Text },
        { ...exact, description: 'Why the server ended it by itself; null: it did not' },
      ),
    ),
    PhotoOn,
    Signature: SignatureBy,
    Stops: Count,
    StopsDone: { ...Count, description: 'Stops without anything missing' },
    Items: Count,
    Answered: Count,
    Defects: Count,
    Impossible: Count,
    PhotosMissing: { ...Count, description: 'Photos that answers name and that are not uploaded yet' },
    Flagged: { ...Count, description: 'Items that two phones answered differently' },
    Lines: { ...Count, description: 'Of an online round: how many lines it walks' },
    Done: { ...Count, description: 'Of them so far' },
    Result: orNull(OnlineResult),
    SheetHash: orNull(Type.String({ description: 'SHA-256 of its sheet; null: not finished' })),
    Version: Type.Integer(),
    Acts: Type.Array(RoundActChoice, { description: 'What its state lets happen' }),
  },
  exact,
)
export type InspectionRound = Type.Static<typeof InspectionRound>

/** A stop of a round, as it was called when the round began. */
export const RoundStop = Type.Object(
  {
    StopID: Type.Integer(),
    Kind: Type.Enum(['gateway', 'device', 'place']),
    DeviceID: orNull(Type.Integer()),
    ControllerID: orNull(Type.String()),
    Place: orNull(Type.String()),
    Name: Type.String(),
    GatewayName: orNull(Type.String()),
    Model: orNull(Type.String()),
    List: Type.String({ description: 'Which of the checklists' }),
    Arrived: orNull(
      Type.Object(
        {
          Person: Type.String(),
          PhoneID: Type.String(),
          How: Type.Enum([...arrivals]),
          Reason: Type.String(),
          PhoneTime: Type.Integer(),
          ServerTime: Type.Integer({ description: 'When it reached the server' }),
          ClockOffsetMs: Type.Integer({ description: 'What the phone was slow by, compared when it was sent' }),
        },
        { ...exact, description: 'Who took the stop first' },
      ),
    ),
  },
  exact,
)
export type RoundStop = Type.Static<typeof RoundStop>

const answerFields = {
  Result: Type.Enum([...answerResults]),
  Value: orNull(Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000, description: 'Of a number' })),
  Choice: orNull(Type.String({ maxLength: 40, description: 'Of a choice' })),
  Note: Type.String({ maxLength: 1_000, description: 'What is wrong, or why it cannot be checked: that needs a reason' }),
  Level: orNull(Type.Enum([...priorities], { description: 'Of a defect; null: medium' })),
  Photos: Type.Array(PhotoHash, { maxItems: 6, uniqueItems: true }),
} as const

/** An answer as a phone sends it. */
export const Answer = Type.Object(
  {
    StopID,
    ItemID,
    Rev: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'One more than the highest that the phone knows of the item',
    }),
    ...answerFields,
    After: optional(
      Type.Array(Type.String({ pattern: '^[0-9]{1,18}$' }), {
        maxItems: 20,
        uniqueItems: true,
        description: 'The `AnswerID` of each answer of this item that the phone knew of when it was answered: those it replaces',
      }),
    ),
    PhoneTime: Type.Integer({ minimum: 0, maximum: 253_402_300_799_999, description: 'When it was answered, by the phone' }),
  },
  exact,
)
export type InspectionAnswer = Type.Static<typeof Answer>

/** An answer as it is kept. */
export const StoredAnswer = Type.Object(
  {
    AnswerID: Type.String({ description: 'Whoever answers the item anew names it in `After`' }),
    StopID: Type.Integer(),
    ItemID: Type.String(),
    Rev: Type.Integer(),
    ...answerFields,
    PhoneTime: Type.Integer(),
    ServerTime: Type.Integer(),
    ClockOffsetMs: Type.Integer(),
    Person: Type.String(),
    PhoneID: Type.String(),
    Counts: Type.Boolean({ description: 'The one that counts. Of two that are flagged the worse one does' }),
    Flagged: Type.Boolean({ description: 'Another phone answered the same item differently, and neither knew of the other' }),
    MissingPhotos: Type.Array(Type.String(), { description: 'Of its photos those not uploaded yet' }),
    HazardID: orNull(Type.Integer()),
    OrderID: orNull(Type.Integer()),
  },
  exact,
)
export type StoredInspectionAnswer = Type.Static<typeof StoredAnswer>

/** What a round lacks before it can be finished. */
export const MissingItem = Type.Object(
  {
    StopID: Type.Integer(),
    ItemID: orNull(Type.String({ description: 'Null: the stop as a whole' })),
    What: Type.Enum(['arrival', 'answer', 'reason', 'photo', 'upload'], {
      description: 'arrival: nobody was there. photo: the answer needs one. upload: it names one that is not here yet',
    }),
  },
  exact,
)
export type InspectionMissing = Type.Static<typeof MissingItem>

export const RoundDetails = Type.Object(
  {
    Round: InspectionRound,
    Stops: Type.Array(RoundStop),
    Checklists: Type.Array(Checklist),
    Answers: Type.Array(StoredAnswer, {
      description: 'Of each item whatever nobody has replaced knowingly: one of each phone at most',
    }),
    Missing: Type.Array(MissingItem, { description: 'At most 500' }),
    InspectorSignature: orNull(Signature),
    ApproverSignature: orNull(Signature),
  },
  exact,
)
export type RoundDetails = Type.Static<typeof RoundDetails>

/** What was reported last of a stop, for reading it where there is no signal. */
const LastValues = Type.Object(
  {
    StopID: Type.Integer(),
    Link: Type.Enum(['online', 'offline', 'unknown']),
    Lines: Type.Array(
      Type.Object(
        {
          LineNo: Type.Integer(),
          Name: Type.String(),
          Position: orNull(Type.Enum(['open', 'closed'], { description: 'Null: not known' })),
          At: orNull(Type.Integer({ description: 'Of its values, Unix ms; null: nothing was reported' })),
          Values: Type.Array(Type.Object({ Key: Type.String(), Value: Type.Number() }, exact), {
            description: 'By the keys of the points of its family, which has their names and units',
          }),
        },
        exact,
      ),
    ),
  },
  exact,
)

/** Everything that a phone needs of a round where there is no signal: at most 2 MB for 300 stops. */
export const RoundPackage = Type.Object(
  {
    ...RoundDetails.properties,
    Last: Type.Array(LastValues),
    Codes: Type.Array(Type.Object({ StopID: Type.Integer(), CodeHash: Type.String() }, exact), {
      description:
        'SHA-256 in hex of the code on the label of a stop, so that a phone without signal knows it; stops without label are left out',
    }),
    ServerTime: Type.Integer({ description: 'Now' }),
  },
  exact,
)
export type RoundPackage = Type.Static<typeof RoundPackage>

/** What an online round found on a line, or on a detector, which is line 0 of itself. */
export const RoundLine = Type.Object(
  {
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    LineName: Type.String({ description: 'As it was called then' }),
    DeviceID: Type.Integer(),
    GatewayName: Type.String(),
    Grade: Type.Enum(['ok', 'defect', 'unknown']),
    Findings: Type.Array(
      Type.Object(
        { Check: Type.String(), Grade: Type.Enum(['defect', 'unknown']), Text },
        { ...exact, description: 'What is not in order, in a sentence' },
      ),
    ),
  },
  exact,
)
export type RoundLine = Type.Static<typeof RoundLine>

/** The sheet of a round, as it was signed; a later change of plan or checklist does not touch it. */
export const RoundSheet = Type.Object(
  {
    Number: Type.String(),
    Hash: Type.String({ description: 'SHA-256 of `Text`' }),
    Text: Type.String({
      description: 'JSON of the sheet, byte by byte as it was signed: { Round, Stops, Checklists, Answers, InspectorSignature }',
    }),
    Revision: Type.Integer({ description: 'One more each time that the round is finished' }),
    Approved: orNull(
      Type.Object(
        {
          Person: Type.String(),
          At: Type.Integer(),
          Signature: orNull(Signature),
          Hash: Type.String({ description: 'SHA-256 of the hash of the sheet, who approved it, when and how it was signed' }),
        },
        exact,
      ),
    ),
  },
  exact,
)
export type RoundSheet = Type.Static<typeof RoundSheet>

/** An arrival as a phone sends it. */
export const ArrivalSent = Type.Object(
  {
    StopID,
    How: Type.Enum([...arrivals]),
    Reason: optional(Type.String({ maxLength: 200, description: 'From the list needs one: why the label could not be read' })),
    PhoneTime: Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 }),
  },
  exact,
)
export type ArrivalSent = Type.Static<typeof ArrivalSent>
