import type { insertWorkOrder, Reply, Request } from '@linewarden/contract'
import { aboutNothing, Refusal } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { OrderState, OrderTime } from '@linewarden/rules/workorder'
import { afterStep, emptyClock } from '@linewarden/rules/workorder'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { orderById } from '../../store/workorder/order.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import type { NewStep } from '../../store/workorder/step.ts'
import { stepByAct } from '../../store/workorder/step.ts'
import { insertOrder } from '../../store/workorder/write.ts'
import type { WorkOrderDeps } from './deps.ts'
import type { OrderAccess } from './order-access.ts'
import { duesAfter } from './order-access.ts'
import type { OrderTarget } from './order-target.ts'
import { createOrderTargets, hazardOfAlarm } from './order-target.ts'
import { refuseWrong } from './order-words.ts'

type Body = Request<typeof insertWorkOrder>['body']

/** Who makes an order: of an alarm, of a place, or of a project as a whole. */
export function createOrderInsert(deps: WorkOrderDeps, access: OrderAccess) {
  const { database, clock } = deps
  const { targetOf } = createOrderTargets(deps)
  return {
    async insert(actor: Actor, project: PlantProject, body: Body): Promise<Reply<typeof insertWorkOrder>> {
      if (actor.shared) throw new Refusal('access denied')
      const before = await replayed(actor, body)
      if (before) return before
      const target = await targetOf(actor, project, body)
      refuseWrong(body, body.PersonInCharge ?? null)
      const { PersonInCharge = '', Helpers = [] } = body
      const fit = await access.fitPeople([PersonInCharge, ...Helpers])
      const place = { project_id: project.id, gateway_id: target.gateway?.id ?? null }
      const person = fit(PersonInCharge, place)
      const helpers = Helpers.map((id) => fit(id, place))
      return made(actor, project, body, { target, person, helpers, time: await access.time(project.id) })
    },
  }

  /** What this intent made before; null: nothing yet. */
  async function replayed(actor: Actor, { ActID }: Body): Promise<Reply<typeof insertWorkOrder> | null> {
    const before = await stepByAct(database.general, ActID)
    if (!before) return null
    const isSame = before.actor_id === actor.accountId && (before.act === 'insert' || before.act === 'join')
    if (!isSame) throw new Refusal('order act used')
    return { Order: await access.record(actor, before.order_id), Joined: before.act === 'join' }
  }

  async function made(
    actor: Actor,
    project: PlantProject,
    body: Body,
    {
      target,
      person,
      helpers,
      time,
    }: { target: OrderTarget; person: NamedPerson; helpers: readonly NamedPerson[]; time: OrderTime },
  ): Promise<Reply<typeof insertWorkOrder>> {
    const at = clock()
    const state = firstState(actor, body, person, helpers, at)
    const row = rowOf({ actor, project, body, target, state, person, helpers, at })
    const title =
      body.Title.trim() ||
      (target.event?.label_zh ?? target.hazard?.label_zh ?? target.line?.name ?? target.gateway?.name ?? project.name)
    const audit = (action: 'workOrder.add' | 'workOrder.join') => ({
      ...access.auditOf(actor, action, project.id),
      ...{ subject: aboutNothing, target: title },
      after: { type: body.Type, priority: body.Priority, title, description: body.Description, person: person.name },
    })
    const step = (act: string, more: Partial<NewStep> = {}): NewStep => ({
      ...{ at: new Date(at), act, to_status: 'undispatched' },
      ...{ actor_id: actor.accountId, actor: access.nameOf(actor) },
      ...more,
    })
    const by = { act: body.Dispatch ? ('dispatch' as const) : null, actor: actor.accountId, now: at }
    const { overdue_at, due } = duesAfter({ overdue_at: null, state: { ...state, status: 'undispatched' } }, state, row, time, by)
    const inserted = await insertOrder(database, {
      ...{ due, now: at },
      row: { ...row, overdue_at },
      hazard: target.hazard?.hazard_id ?? hazardOfAlarm(target.event),
      eventId: target.event?.event_id ?? null,
      number: { owner: project.ownerId, month: dateText(civilZone(time.timeZone).dayAt(at)).slice(0, 7).replace('-', '') },
      steps: [
        step('insert', { act_id: body.ActID }),
        ...(body.Dispatch
          ? [step('dispatch', { from_status: 'undispatched', to_status: 'dispatched', person: person.name })]
          : []),
      ],
      joins: step('join', { act_id: body.ActID, reason: body.Description.trim() }),
      audit: { add: audit('workOrder.add'), join: audit('workOrder.join') },
    })
    if (!inserted) {
      const before = await replayed(actor, body)
      if (before) return before
      throw new Refusal('changed meanwhile')
    }
    const { orderId, joined } = inserted
    const stored = await orderById(database.general, orderId)
    if (stored) access.published(stored)
    return { Order: await access.record(actor, orderId), Joined: joined }
  }
}

function firstState(
  actor: Actor,
  { Priority, Dispatch }: Body,
  person: NamedPerson,
  helpers: readonly NamedPerson[],
  at: number,
): OrderState {
  const state: OrderState = {
    ...{ status: 'undispatched', priority: Priority, founder: actor.accountId, personInCharge: person.id },
    ...{ helpers: helpers.map(({ id }) => id), processor: null, closer: null, closedFrom: null, closedAt: null },
    ...{ acceptedAt: null, clock: emptyClock(Priority, at), returns: 0, reopened: 0 },
  }
  return Dispatch ? afterStep(state, { act: 'dispatch', to: person.id }, actor.accountId, at) : state
}

const rowOf = ({
  actor,
  project,
  body,
  target,
  state,
  person,
  helpers,
  at,
}: {
  actor: Actor
  project: PlantProject
  body: Body
  target: OrderTarget
  state: OrderState
  person: NamedPerson
  helpers: readonly NamedPerson[]
  at: number
}) => ({
  ...{ project_id: project.id, gateway_id: target.gateway?.id ?? null, device_id: target.device?.id ?? null },
  ...{ line_id: target.line?.id ?? null, type: body.Type, status: state.status, title: body.Title.trim() },
  ...{ description: body.Description.trim(), priority: body.Priority, founder_id: actor.accountId },
  ...{ founder_name: actor.nickName.trim() || actor.userName, person_id: person.id, person_name: person.name },
  ...{
    helpers: JSON.stringify(helpers),
    alarm_at: target.event?.raised_at ?? target.hazard?.first_seen ?? null,
    created_at: new Date(at),
  },
  ...{ valid_days: body.ValidDays, reminder_days: body.ReminderDays, working_days_only: body.WorkingDaysOnly },
  clock: JSON.stringify(state.clock),
})
