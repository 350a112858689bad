import { aboutNothing } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { civilZone, dateText } from '@linewarden/rules/automation'
import type { OrderState, OrderTime, OrderType } from '@linewarden/rules/workorder'
import { afterStep, emptyClock } from '@linewarden/rules/workorder'
import type { Plant } from '../../plant/plant.ts'
import type { NamedPerson } from '../../store/workorder/schema.ts'
import type { NewOrder } from '../../store/workorder/write.ts'
import type { OrderAccess } from './order-access.ts'
import { duesAfter } from './order-access.ts'

const system = { userName: 'system', address: '' }

/** An order that nobody writes by hand. */
export interface OrderBySystem {
  readonly place: {
    readonly project_id: number
    readonly gateway_id: number | null
    readonly device_id: number | null
    readonly line_id: number | null
  }
  readonly type: OrderType
  readonly priority: Priority
  readonly title: string
  readonly description: string
  readonly alarmAt: Date
  readonly days: { readonly valid_days: number; readonly reminder_days: number; readonly working_days_only: boolean }
  /** Whose it is. */
  readonly owner: { readonly id: string | null; readonly name: string }
  /** What the history says of how it came about. */
  readonly reason: string
  readonly target: string
  readonly audited: object
  readonly hazard: NewOrder['hazard']
  readonly eventId: string | null
  readonly time: OrderTime
  readonly now: number
}

/** The order, for whoever gets it; null: nobody yet. */
export function orderBySystem(
  { plant, access }: { readonly plant: Plant; readonly access: OrderAccess },
  made: OrderBySystem,
): (person: NamedPerson | null) => NewOrder {
  const { place, days, owner, time, now } = made
  const before = firstState(made)
  const step = { at: new Date(now), actor: null, reason: made.reason }
  return (person) => {
    const state = person ? afterStep(before, { act: 'dispatch', to: person.id }, null, now) : before
    const by = { act: person ? ('dispatch' as const) : null, actor: null, now }
    const { overdue_at, due } = duesAfter({ overdue_at: null, state: before }, state, days, time, by)
    const audit = (action: 'workOrder.add' | 'workOrder.join') => ({
      ...access.auditOf(system, action, place.project_id),
      ...{ subject: aboutNothing, target: made.target, after: { ...made.audited, person: person?.name ?? '' } },
    })
    return {
      ...{ due, now, eventId: made.eventId, hazard: made.hazard },
      row: {
        ...place,
        ...{ type: made.type, status: state.status, title: made.title, description: made.description },
        ...{ priority: before.priority, founder_id: owner.id, founder_name: owner.name, person_id: person?.id ?? null },
        ...{ person_name: person?.name ?? '', helpers: '[]', alarm_at: made.alarmAt, created_at: new Date(now) },
        ...{ ...days, clock: JSON.stringify(state.clock), overdue_at },
      },
      number: {
        owner: plant.projects.get(place.project_id)?.ownerId ?? null,
        month: dateText(civilZone(time.timeZone).dayAt(now)).slice(0, 7).replace('-', ''),
      },
      steps: [
        { ...step, act: 'insert', to_status: 'undispatched' },
        ...(person
          ? [{ ...step, act: 'dispatch', from_status: 'undispatched', to_status: 'dispatched', person: person.name } as const]
          : []),
      ],
      joins: { ...step, act: 'join', to_status: 'undispatched' },
      audit: { add: audit('workOrder.add'), join: audit('workOrder.join') },
    }
  }
}

function firstState({ priority, owner, now }: OrderBySystem): OrderState {
  return {
    ...{ status: 'undispatched', priority, founder: owner.id, personInCharge: null, helpers: [], processor: null },
    ...{ closer: null, closedFrom: null, closedAt: null, acceptedAt: null, clock: emptyClock(priority, now) },
    ...{ returns: 0, reopened: 0 },
  }
}
