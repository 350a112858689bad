import type { Priority } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import type { OrderClock } from './clock.ts'
import { isPaused, newRound, noClock, pausedMs, resumedAt, withInterruption } from './clock.ts'
import type { OrderActor, OrderState, OrderStatus } from './order.ts'

export const orderActs = [
  ...(['dispatch', 'take', 'decline', 'pause', 'resume', 'process', 'return', 'accept', 'close', 'reopen'] as const),
  /** By itself: the value is back. */
  'contradict',
] as const
export type OrderAct = (typeof orderActs)[number]

/** What a person does. */
export type PersonAct = Exclude<OrderAct, 'contradict'>
export const personActs = orderActs.filter((act): act is PersonAct => act !== 'contradict')

/** What somebody is to an order. */
export const orderRoles = ['founder', 'administrator', 'personInCharge', 'helper', 'closer'] as const
export type OrderRole = (typeof orderRoles)[number]

interface Transition {
  readonly from: readonly OrderStatus[]
  readonly who: readonly OrderRole[]
}

const founders = ['founder', 'administrator'] as const

/** The only transitions that there are. */
export const transitions: { readonly [A in OrderAct]: Transition } = {
  dispatch: { from: ['undispatched', 'dispatched'], who: founders },
  take: { from: ['dispatched'], who: ['personInCharge'] },
  decline: { from: ['dispatched'], who: ['personInCharge'] },
  pause: { from: ['dispatched'], who: ['personInCharge'] },
  resume: { from: ['dispatched'], who: ['personInCharge'] },
  process: { from: ['dispatched'], who: ['personInCharge', 'helper'] },
  return: { from: ['processed'], who: founders },
  accept: { from: ['processed'], who: founders },
  close: { from: ['undispatched', 'dispatched'], who: founders },
  reopen: { from: ['closed'], who: ['founder', 'closer', 'administrator'] },
  contradict: { from: ['processed', 'accepted'], who: [] },
}

/** So long after it was closed an order may be reopened. */
export const reopenDays = 30
/** So long after acceptance a value that comes back reopens its own order. */
export const watchDays = 7
/** Pauses of one round stop its clock for so long at most. */
export const maxPauseDays = 30

export type ActRefusal =
  | { readonly key: 'order state'; readonly status: OrderStatus; readonly allowed: readonly PersonAct[] }
  | { readonly key: 'order not yours'; readonly who: readonly OrderRole[] }
  | { readonly key: 'order four eyes' }
  | { readonly key: 'order too late'; readonly days: number }
  | { readonly key: 'order taken' }
  | { readonly key: 'order paused' }
  | { readonly key: 'order not paused' }

export function rolesOf(order: OrderState, { accountId, administrator }: OrderActor): readonly OrderRole[] {
  const is: { readonly [R in OrderRole]: boolean } = {
    founder: order.founder === accountId,
    administrator,
    personInCharge: order.personInCharge === accountId,
    helper: order.helpers.includes(accountId),
    closer: order.closer === accountId,
  }
  return orderRoles.filter((role) => is[role])
}

/** Whether the state of an order lets this happen, whoever does it. */
export const isActOf = (order: Pick<OrderState, 'status'>, act: OrderAct): boolean => transitions[act].from.includes(order.status)

/** What stands against a person's act; null: nothing does. Of several reasons the first that the person cannot mend. */
export function actRefusal(order: OrderState, act: PersonAct, actor: OrderActor, now: number): ActRefusal | null {
  if (!isActOf(order, act))
    return { key: 'order state', status: order.status, allowed: personActs.filter((each) => isActOf(order, each)) }
  const { who } = transitions[act]
  const roles = rolesOf(order, actor)
  if (!who.some((role) => roles.includes(role))) return { key: 'order not yours', who }
  if (act === 'accept' && order.processor === actor.accountId) return { key: 'order four eyes' }
  if (act === 'reopen' && (order.closedAt ?? 0) + reopenDays * dayMs < now) return { key: 'order too late', days: reopenDays }
  if (act === 'take' && order.clock.takenAt !== null) return { key: 'order taken' }
  if (act === 'pause' && isPaused(order.clock, now)) return { key: 'order paused' }
  if (act === 'resume' && !isPaused(order.clock, now)) return { key: 'order not paused' }
  return null
}

/** How long a pause may last from now on; the pauses of this round count together. */
export const maxPauseMs = ({ clock }: Pick<OrderState, 'clock'>): number => Math.max(0, maxPauseDays * dayMs - pausedMs(clock))

/** What an act carries that its outcome depends on. */
export type OrderStep =
  | { readonly act: 'dispatch'; readonly to: string; readonly helpers?: readonly string[] }
  | { readonly act: 'pause'; readonly until: number }
  | { readonly act: Exclude<OrderAct, 'dispatch' | 'pause'> }

/** The order after it. `actor` null: it happened by itself. Throws of what its state does not let happen: that is asked first. */
export function afterStep(order: OrderState, step: OrderStep, actor: string | null, at: number): OrderState {
  if (!isActOf(order, step.act)) throw new Error(`${step.act} of an order that is ${order.status}`)
  const { clock } = order
  switch (step.act) {
    case 'dispatch':
      return {
        ...{ ...order, status: 'dispatched', personInCharge: step.to, helpers: step.helpers ?? order.helpers },
        clock: dispatchedClock(order, at),
      }
    case 'take':
      return { ...order, clock: { ...clock, takenAt: at } }
    case 'decline':
      return { ...order, status: 'undispatched', personInCharge: null, helpers: [], clock: noClock(clock) }
    case 'pause':
      return { ...order, clock: withInterruption(clock, { from: at, until: step.until, processed: false }) }
    case 'resume':
      return { ...order, clock: resumedAt(clock, at) }
    case 'process':
      return {
        ...{ ...order, status: 'processed', processor: actor },
        clock: withInterruption(
          { ...resumedAt(clock, at), takenAt: clock.takenAt ?? at },
          { from: at, until: null, processed: true },
        ),
      }
    case 'return':
      return { ...order, status: 'dispatched', returns: order.returns + 1, clock: resumedAt(clock, at) }
    case 'contradict':
      return contradicted(order, at)
    case 'accept':
      return { ...order, status: 'accepted', acceptedAt: at }
    case 'close':
      return {
        ...{ ...order, status: 'closed', closedAt: at, closer: actor },
        closedFrom: order.status === 'dispatched' ? 'dispatched' : 'undispatched',
      }
    case 'reopen': {
      const status = order.closedFrom ?? 'undispatched'
      const again = status === 'dispatched' ? newRound(at, order.priority) : noClock(clock)
      return { ...order, status, closedAt: null, closer: null, closedFrom: null, reopened: order.reopened + 1, clock: again }
    }
  }
}

/** Whoever gets it answers anew; the time to resolve it goes on. */
function dispatchedClock({ clock, status, priority }: OrderState, at: number): OrderClock {
  if (status === 'undispatched') return newRound(at, priority)
  return { ...resumedAt(clock, at), respondFrom: at, takenAt: null }
}

/** Before it was accepted it goes on where it was; after that it begins anew, one priority up. */
function contradicted(order: OrderState, at: number): OrderState {
  if (order.status === 'processed')
    return { ...order, status: 'dispatched', returns: order.returns + 1, clock: resumedAt(order.clock, at) }
  const priority = oneUp(order.priority)
  return {
    ...{ ...order, status: 'dispatched', priority, acceptedAt: null, reopened: order.reopened + 1 },
    clock: newRound(at, priority),
  }
}

const up: Readonly<Record<Priority, Priority>> = { low: 'medium', medium: 'high', high: 'critical', critical: 'critical' }
const oneUp = (priority: Priority): Priority => up[priority]

/** Whether a value that is back reopens an accepted order; later it is a new one. */
export const isWatched = ({ status, acceptedAt }: Pick<OrderState, 'status' | 'acceptedAt'>, now: number): boolean =>
  status === 'accepted' && acceptedAt !== null && now < acceptedAt + watchDays * dayMs
