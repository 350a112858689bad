import { roundKinds, roundStates } from '@linewarden/rules/inspection'
import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { PhotoHash, PhotoReceived, photoBodyBytes, photoPiece, photoTypes } from '../../core/photo.ts'
import {
  called,
  exact,
  id,
  maybe,
  optional,
  orNull,
  ownUuid,
  paging,
  requiredText,
  sorting,
  uuid,
  Version,
} from '../../core/schemas.ts'
import { asks, Day, PlanID } from './plan.ts'
import {
  Answer,
  ArrivalSent,
  InspectionRound,
  RoundDetails,
  RoundID,
  RoundLine,
  RoundPackage,
  RoundSheet,
  Signature,
} from './round.ts'

const inspection = { area: 'inspection', permission: 'hazard.patrol', scope: { kind: 'own' } } as const
const changes = { ...inspection, audited: true, movesEquipment: false, touches: ['inspectionRounds'] } as const
const aRound = [{ kind: 'inspectionRound', id: 'RoundID' }] as const
const target = Type.Object({ RoundID }, exact)
/** 200 answers with notes. */
const answerBytes = 1_048_576

/** An online round walks so many lines at most. */
export const maxRoundLines = 20_000
/** So many answers, and so many arrivals, come at once. */
export const maxAnswersAtOnce = 200

export const startRound = call({
  ...changes,
  touches: ['inspectionRounds', 'inspectionPlans'],
  name: 'startRound',
  method: 'POST',
  path: '/patrols/start',
  scope: { kind: 'project', id: 'HouseID' },
  subject: [
    { kind: 'project', id: 'HouseID' },
    { kind: 'inspectionPlan', id: 'PlanID' },
    { kind: 'inspectionRound', id: 'RoundID' },
    { kind: 'gatewayId', id: 'Without.Stops.DeviceID' },
    { kind: 'device', id: 'Without.Stops.ControllerID' },
  ],
  summary:
    'Start a round: a planned or returned one by its id; of a plan between due dates; or one without a plan. The same id again answers the same round',
  body: Type.Object(
    {
      HouseID: id,
      RoundID,
      PlanID: optional(PlanID),
      Without: optional(
        Type.Object(
          { Name: called(60), Kind: Type.Enum([...roundKinds]), ...asks },
          { ...exact, description: 'Without a plan. Of an online round the stops are gateways or devices' },
        ),
      ),
    },
    exact,
  ),
  maxBodyBytes: largeBodyBytes,
  data: InspectionRound,
})

export const queryRounds = call({
  ...inspection,
  name: 'queryRounds',
  method: 'POST',
  path: '/patrols/query',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true },
  shows: ['inspectionRounds'],
  summary: 'Inspection rounds that I see; those that are open first, by their due dates, then the newest',
  body: Type.Object(
    {
      CityID: optional(id),
      HouseID: optional(id),
      PlanID: optional(PlanID),
      Kind: optional(Type.Enum([...roundKinds])),
      State: optional(Type.Enum([...roundStates])),
      Mine: optional(Type.Boolean({ description: 'Given to me, or started by me' })),
      From: optional({ ...Day, description: 'Due or started from this day on' }),
      To: optional(Day),
      Text: optional(maybe(64, 'Part of its number or name')),
      ...sorting('Due', 'Number', 'State'),
      ...paging,
    },
    exact,
  ),
  datas: InspectionRound,
  about: Type.Object(
    {
      States: Type.Object(
        Object.fromEntries(roundStates.map((state) => [state, Type.Integer()])) as Record<
          (typeof roundStates)[number],
          Type.TInteger
        >,
        exact,
      ),
    },
    { ...exact, description: 'How many there are of each state, under the other filters' },
  ),
})

export const roundCalendar = call({
  ...inspection,
  name: 'roundCalendar',
  method: 'POST',
  path: '/patrols/calendar',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true },
  shows: ['inspectionPlans', 'inspectionRounds'],
  summary: 'What is due in some days, at most 100: rounds that are there, and those that plans will make',
  body: Type.Object({ CityID: optional(id), HouseID: optional(id), From: Day, To: Day }, exact),
  datas: Type.Object(
    {
      PlanID: Type.Integer(),
      Name: Type.String(),
      HouseID: Type.Integer(),
      HouseName: Type.String(),
      DueDay: Type.String(),
      FromDay: Type.String(),
      ToDay: Type.String(),
      RoundID: orNull(Type.String()),
      State: orNull(Type.Enum([...roundStates], { description: 'Null: the round is yet to be made' })),
    },
    exact,
  ),
})

export const getRound = call({
  ...inspection,
  name: 'getRound',
  method: 'GET',
  path: '/patrols/:RoundID',
  shows: ['inspectionRounds'],
  summary: 'One round with its stops, its checklists, its answers and what is missing',
  params: target,
  data: RoundDetails,
})

export const roundPackage = call({
  ...inspection,
  name: 'roundPackage',
  method: 'GET',
  path: '/patrols/:RoundID/package',
  shows: ['inspectionRounds'],
  summary: 'The same with the last values of each stop, to be taken where there is no signal',
  params: target,
  data: RoundPackage,
})

export const listRoundLines = call({
  ...inspection,
  name: 'listRoundLines',
  method: 'POST',
  path: '/patrols/lines',
  reads: true,
  shows: ['inspectionRounds'],
  summary: 'What an online round found on each line, defects first; as it was found, whatever became of the line since',
  body: Type.Object(
    {
      RoundID,
      Grade: optional(Type.Enum(['ok', 'defect', 'unknown'])),
      Check: optional(Type.String({ pattern: '^[A-Za-z]{1,32}$', description: 'Lines on which this check found something' })),
      Text: optional(maybe(64, 'Part of the name of a line or its gateway')),
      ...paging,
    },
    exact,
  ),
  datas: RoundLine,
})

export const roundSheet = call({
  ...inspection,
  name: 'roundSheet',
  method: 'GET',
  path: '/patrols/:RoundID/sheet',
  shows: ['inspectionRounds'],
  summary: 'The sheet of a finished round, as it was signed',
  params: target,
  data: RoundSheet,
})

export const answerRound = call({
  ...changes,
  name: 'answerRound',
  method: 'PUT',
  path: '/patrols/:RoundID/answers',
  subject: aRound,
  summary:
    'Send arrivals and answers. An answer replaces those of its own phone with a lower revision and those it names in `After`; any other is kept beside it, and flagged where they differ. The same again changes nothing',
  params: target,
  body: Type.Object(
    {
      PhoneID: { ...uuid, description: 'Made once by the phone' },
      Now: Type.Integer({ minimum: 0, maximum: 253_402_300_799_999, description: 'By the clock of the phone' }),
      Arrivals: Type.Array(ArrivalSent, { maxItems: maxAnswersAtOnce }),
      Answers: Type.Array(Answer, { maxItems: maxAnswersAtOnce }),
    },
    exact,
  ),
  maxBodyBytes: answerBytes,
  data: Type.Object(
    {
      Arrivals: Type.Array(
        Type.Object(
          { StopID: Type.Integer(), Outcome: Type.Enum(['held', 'taken', 'wrong']), Person: Type.String() },
          { ...exact, description: 'taken: another phone had the stop first, and who that is' },
        ),
      ),
      Answers: Type.Array(
        Type.Object(
          {
            StopID: Type.Integer(),
            ItemID: Type.String(),
            Rev: Type.Integer(),
            Outcome: Type.Enum(['held', 'older', 'flagged', 'wrong'], {
              description:
                'held: it is here, now or before. older: it was replaced since. flagged: another phone answered differently, and both are kept. wrong: there is no such stop or item, or the answer does not fit it',
            }),
          },
          exact,
        ),
        { description: 'Whatever is not wrong is held by the server, and may be dropped by the phone' },
      ),
      Missing: Type.Array(Type.String(), { description: 'Hashes of photos that the server does not hold yet' }),
      Round: InspectionRound,
    },
    exact,
  ),
})

const RoundPhotoTarget = Type.Object({ RoundID, Hash: PhotoHash }, exact)

export const sendRoundPhoto = call({
  ...changes,
  name: 'sendRoundPhoto',
  method: 'PUT',
  path: '/patrols/:RoundID/files/:Hash',
  subject: aRound,
  summary: 'A piece of a photo of a round, before or after the answer that names it. The same again changes nothing',
  params: RoundPhotoTarget,
  body: Type.Object(photoPiece, exact),
  maxBodyBytes: photoBodyBytes,
  data: PhotoReceived,
})

export const roundPhoto = call({
  ...inspection,
  name: 'roundPhoto',
  method: 'GET',
  path: '/patrols/:RoundID/files/:Hash',
  shows: [],
  summary: 'A photo of a round, as it is',
  params: RoundPhotoTarget,
  file: photoTypes,
})

export const orderOfDefect = call({
  ...changes,
  touches: ['inspectionRounds', 'workOrders'],
  name: 'orderOfDefect',
  method: 'POST',
  path: '/patrols/:RoundID/order',
  permission: 'hazard.workorder',
  subject: aRound,
  summary: 'Make a work order of a defect, with its place and its hazard; where that has an open order it joins it',
  params: target,
  body: Type.Object(
    {
      StopID: Type.Integer({ minimum: 1, maximum: 500 }),
      ItemID: Type.String({ pattern: '^[A-Za-z0-9.-]{1,64}$' }),
      ActID: {
        ...ownUuid,
        description: 'Made once per intent: sending it again changes nothing more, and answers the same order',
      },
      PersonInCharge: uuid,
      Dispatch: optional(Type.Boolean({ description: 'At once to whoever is in charge' })),
    },
    exact,
  ),
  data: Type.Object({ OrderID: Type.Integer(), Number: Type.String(), HazardID: Type.Integer(), Joined: Type.Boolean() }, exact),
})

export const finishRound = call({
  ...changes,
  name: 'finishRound',
  method: 'PUT',
  path: '/patrols/:RoundID/finish',
  subject: aRound,
  summary:
    'Finish a round on site: refused while an answer or a photo is missing. Its sheet is kept as it is signed; defects become hazards',
  params: target,
  body: Type.Object({ Signature: optional(Signature) }, exact),
  maxBodyBytes: largeBodyBytes,
  data: InspectionRound,
})

export const approveRound = call({
  ...changes,
  name: 'approveRound',
  method: 'PUT',
  path: '/patrols/:RoundID/approve',
  subject: aRound,
  summary: 'Approve a finished round: somebody other than its inspector',
  params: target,
  body: Type.Object({ Version, Signature: optional(Signature) }, exact),
  maxBodyBytes: largeBodyBytes,
  data: InspectionRound,
})

export const returnRound = call({
  ...changes,
  name: 'returnRound',
  method: 'PUT',
  path: '/patrols/:RoundID/return',
  subject: aRound,
  summary: 'Send a finished round back, for a reason; it is started again and keeps its answers',
  params: target,
  body: Type.Object({ Version, Reason: requiredText(500) }, exact),
  data: InspectionRound,
})

export const abandonRound = call({
  ...changes,
  touches: ['inspectionRounds', 'inspectionPlans'],
  name: 'abandonRound',
  method: 'PUT',
  path: '/patrols/:RoundID/abandon',
  subject: aRound,
  summary: 'End a round that is under way without finishing it, for a reason. Defects found so far become hazards',
  params: target,
  body: Type.Object({ Version, Reason: requiredText(500) }, exact),
  data: InspectionRound,
})
