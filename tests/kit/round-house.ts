import type { InspectionRound, Reply, Request } from '@linewarden/contract'
import { answerRound, getRound, type insertInspectionPlan, startRound } from '@linewarden/contract'
import type { OrderHouse, OrderPerson } from './order-house.ts'

type PlanForm = Request<typeof insertInspectionPlan>['body']
type Answers = Request<typeof answerRound>['body']

/** A phone of somebody on a round. */
export const phone = () => crypto.randomUUID()

/** A plan of two stops: the three-phase breaker and a place, with few items. */
export const planForm = (house: OrderHouse, more: Partial<PlanForm> = {}): PlanForm => ({
  ...{ HouseID: house.houseOf(), Name: `配电间月检 ${crypto.randomUUID().slice(0, 8)}`, Kind: 'onSite' },
  Stops: [{ ControllerID: 'A-T1' }, { Place: '2 号配电间' }],
  ...{ LeftOut: [], OwnItems: [], Signature: 'none', PhotoOn: 'never', Cycle: { Every: 1, Unit: 'month' }, CountsFrom: 'plan' },
  ...{ FirstDue: '2035-01-31', WindowDays: { Before: 3, After: 3 }, Assignees: [], Enabled: true },
  ...more,
})

/** A round of its own that somebody starts, without a plan. */
export async function started(house: OrderHouse, person: OrderPerson, more: Partial<PlanForm> = {}): Promise<InspectionRound> {
  const { HouseID, Name, Kind, Stops, LeftOut, OwnItems, Signature, PhotoOn } = planForm(house, more)
  const Without = { Name, Kind, Stops, LeftOut, OwnItems, Signature, PhotoOn }
  return person.client.call(startRound, { body: { HouseID, RoundID: crypto.randomUUID(), Without } })
}

export const detailsOf = (person: OrderPerson, { RoundID }: Pick<InspectionRound, 'RoundID'>): Promise<Reply<typeof getRound>> =>
  person.client.call(getRound, { params: { RoundID } })

export const send = (
  person: OrderPerson,
  { RoundID }: Pick<InspectionRound, 'RoundID'>,
  body: Partial<Answers> & Pick<Answers, 'PhoneID'>,
): Promise<Reply<typeof answerRound>> =>
  person.client.call(answerRound, { params: { RoundID }, body: { Now: Date.now(), Arrivals: [], Answers: [], ...body } })

/** An answer that is in order. */
export const fine = (
  StopID: number,
  ItemID: string,
  more: Partial<Answers['Answers'][number]> = {},
): Answers['Answers'][number] => ({
  ...{
    StopID,
    ItemID,
    Rev: 1,
    Result: 'ok',
    Value: null,
    Choice: null,
    Note: '',
    Level: null,
    Photos: [],
    PhoneTime: Date.now(),
  },
  ...more,
})

/** Answers every item of a round so that it is in order, but for those that are given. */
export async function allFine(
  person: OrderPerson,
  round: Pick<InspectionRound, 'RoundID'>,
  PhoneID: string,
  otherwise: Readonly<Record<string, Partial<Answers['Answers'][number]>>> = {},
): Promise<Reply<typeof answerRound>> {
  const { Stops, Checklists } = await detailsOf(person, round)
  const items = Stops.flatMap(({ StopID, List }) =>
    (Checklists.find((list) => list.List === List)?.Items ?? []).map((item) => ({ StopID, item })),
  )
  const answers = items.map(({ StopID, item }) =>
    fine(StopID, item.ItemID, {
      ...{ Value: item.Kind === 'number' ? (item.Min ?? item.Max ?? 0) : null },
      ...{ Choice: item.Choices.find(({ Ok }) => Ok)?.Choice ?? null },
      // What is only a photo is not asked for where nobody has one.
      ...(item.Kind === 'photo' && { Result: 'none' }),
      ...otherwise[item.ItemID],
    }),
  )
  const Arrivals = Stops.map(({ StopID }) => ({ StopID, How: 'qr' as const, PhoneTime: Date.now() }))
  return send(person, round, { PhoneID, Arrivals, Answers: answers })
}
