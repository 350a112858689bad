import { randomUUID } from 'node:crypto'
import type { answerRound, InspectionRound, Request, RoundDetails } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { Server } from '@linewarden/server/compose'
import type { ProjectPlan } from '@linewarden/simulator'
import { pino } from 'pino'
import type { Actor } from '../../apps/server/src/access/actor.ts'
import type { Inspection } from '../../apps/server/src/areas/inspection/service.ts'
import { createInspection } from '../../apps/server/src/areas/inspection/service.ts'
import { Runner } from '../../apps/server/src/jobs/runner.ts'
import type { PlantProject } from '../../apps/server/src/plant/plant.ts'
import type { People } from './past-people.ts'

/** What becomes of the round of each due day, so many days before today; the others wait for somebody. */
const past = [
  { daysAgo: 24, becomes: 'approved' },
  { daysAgo: 17, becomes: 'lapsed' },
  { daysAgo: 10, becomes: 'returned' },
  { daysAgo: 3, becomes: 'finished' },
] as const
type Becomes = (typeof past)[number]['becomes']

/** A round is there so many days before it is due: the next one is by now. */
const windowDays = { Before: 4, After: 2 }
const place = '1 号配电间'

/** A plan of a round every week, made a month ago, and what people made of it: each at its own time, by what the server does it with. */
export async function addPastRounds(server: Server, plan: readonly ProjectPlan[], people: People, until: number): Promise<void> {
  const gateway = server.plant.gatewayByNumber.get(plan[0]?.gateways[0]?.number ?? '')
  const device = gateway && [...gateway.devices.values()].find(({ lines }) => lines.size > 1)
  if (!gateway || !device) return
  const { project } = gateway
  const today = civilZone(project.timeZone).dayAt(until)
  let now = until - 30 * dayMs
  const { database, plant, hub, ingest, photos, accounts, workOrders } = server
  const log = pino({ level: 'warn' })
  const inspection = createInspection({
    ...{ database, plant, hub, ingest, photos, log, clock: () => now, orders: workOrders },
    ...{ runner: new Runner({ database, log }), actorNow: (id) => accounts.actorOf(id, '', '') },
  })
  try {
    const { PlanID } = await inspection.plans.insert(people.founder, project, {
      ...{
        HouseID: project.id,
        Name: '配电间周巡检',
        Kind: 'onSite',
        Signature: 'none',
        PhotoOn: 'never',
        LeftOut: [],
        OwnItems: [],
      },
      Stops: [{ DeviceID: gateway.id }, { ControllerID: device.controllerId }, { Place: place }],
      ...{ Cycle: { Every: 1, Unit: 'week' }, CountsFrom: 'plan', FirstDue: dateText(today - past[0].daysAgo) },
      ...{ WindowDays: windowDays, Assignees: [people.electrician.accountId], Enabled: true },
    })
    for (const { daysAgo, becomes } of past) {
      // In the forenoon of the day on which it is due.
      now = until - daysAgo * dayMs
      await inspection.look()
      if (becomes === 'lapsed') continue
      const due = await plannedRound(inspection, project, people.founder, PlanID)
      if (due)
        await walked(inspection, project, people, { round: due, becomes, clock: { at: () => now, later: (ms) => (now += ms) } })
    }
    now = until
    await inspection.look()
  } finally {
    await inspection.close()
  }
}

async function plannedRound(inspection: Inspection, project: PlantProject, actor: Actor, PlanID: number) {
  const { items } = await inspection.rounds.query(actor, project, { PlanID, State: 'planned' })
  return items[0]
}

interface Walk {
  readonly round: InspectionRound
  readonly becomes: Exclude<Becomes, 'lapsed'>
  readonly clock: { readonly at: () => number; readonly later: (ms: number) => void }
}

/** What the server itself did to a round meanwhile stands. */
async function walked(
  inspection: Inspection,
  project: PlantProject,
  people: People,
  { round, becomes, clock }: Walk,
): Promise<void> {
  const { RoundID } = round
  try {
    await inspection.start(people.electrician, project, { HouseID: project.id, RoundID })
    clock.later(hourMs / 2)
    await inspection.answer(
      people.electrician,
      RoundID,
      await answersOf(inspection, people.electrician, RoundID, becomes, clock.at()),
    )
    clock.later(hourMs / 6)
    const { Version } = await inspection.finish(people.electrician, RoundID, undefined)
    clock.later(5 * hourMs)
    if (becomes === 'approved') await inspection.approve(people.founder, RoundID, { Version })
    if (becomes === 'returned') await inspection.giveBack(people.founder, RoundID, Version, '端子温度请写明测温时的负荷。')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

type Answers = Request<typeof answerRound>['body']

/** Everything in order, but one thing in the first round. */
async function answersOf(inspection: Inspection, actor: Actor, roundId: string, becomes: Becomes, at: number): Promise<Answers> {
  const { Stops, Checklists } = await inspection.rounds.get(actor, roundId)
  const items = Stops.flatMap(({ StopID, Kind, List }) =>
    (Checklists.find((list) => list.List === List)?.Items ?? []).map((item) => ({ StopID, Kind, item })),
  )
  const wrong = becomes === 'approved' ? items.findIndex(({ Kind, item }) => Kind === 'place' && item.Kind === 'yesNo') : -1
  return {
    ...{ PhoneID: randomUUID(), Now: at },
    Arrivals: Stops.map(({ StopID }) => ({ StopID, How: 'qr' as const, PhoneTime: at })),
    Answers: items.map(({ StopID, item }, index) => ({
      ...{ StopID, ItemID: item.ItemID, Rev: 1, PhoneTime: at, Photos: [] },
      ...(index === wrong ? { ...fine(item), Result: 'defect', Level: 'medium', Note: '门口堆放纸箱，已通知清理' } : fine(item)),
    })),
  }
}

/** An answer that is in order; what is only a photo is not asked for where nobody takes one. */
const fine = (item: RoundDetails['Checklists'][number]['Items'][number]) => ({
  Result: item.Kind === 'photo' ? ('none' as const) : ('ok' as const),
  Value: item.Kind === 'number' ? (item.Min ?? item.Max ?? 0) : null,
  Choice: item.Choices.find(({ Ok }) => Ok)?.Choice ?? null,
  ...{ Note: '', Level: null },
})
