import type { OrderStep, WorkOrder } from '@linewarden/contract'
import type { PauseReason } from '@linewarden/rules/workorder'
import type { Entry } from '../../../../app/offline/entry.ts'

/** What somebody does to an order where there may be no network. Nothing of it operates equipment. */
export type OrderDeed =
  | { readonly Does: 'take' }
  | { readonly Does: 'arrive'; readonly Text: string }
  | { readonly Does: 'comment'; readonly Text: string }
  | { readonly Does: 'pause'; readonly Until: number; readonly Why: PauseReason; readonly Reason: string }
  | { readonly Does: 'resume' }
  | {
      readonly Does: 'process'
      readonly Cause: string
      readonly Done: string
      readonly Parts: string
      readonly LabourMin: number | null
    }

/** What an entry of an order carries; its photos are entries of their own. */
export type OrderBody = OrderDeed & {
  /** Made once: sent again it is the same act. */
  readonly ActID: string
  readonly PhoneTime: number
  /** As the order was when it was done. */
  readonly Version: number
  readonly SeenStep: string
}

export type OrderEntry = Entry<OrderBody>
export type Does = OrderDeed['Does']

const prefix = 'order:'
export const orderThing = (orderId: number): string => `${prefix}${orderId}`
export const isOfOrder = ({ thing }: Pick<Entry, 'thing'>): boolean => thing.startsWith(prefix)
export const orderIdOf = ({ thing }: Pick<Entry, 'thing'>): number => Number(thing.slice(prefix.length))

/** Whether it is an act, not a photo. */
export const isAct = (entry: Entry): entry is OrderEntry => isOfOrder(entry) && entry.kind === 'order'

/** Acts on an order that this phone still has, in the order in which they were done. */
export const actsOn = (entries: readonly Entry[], orderId: number): readonly OrderEntry[] =>
  entries
    .filter(isAct)
    .filter(({ thing }) => thing === orderThing(orderId))
    .toSorted((one, other) => one.seq - other.seq)

/**
 * What can be done next: by what the server said of the order, and what waits here. It is offered, not promised: the server decides once it
 * is told.
 */
export function offered(order: Pick<WorkOrder, 'Status' | 'Acts'>, acts: readonly OrderEntry[]): readonly Does[] {
  const waiting = acts.filter(({ state }) => state === 'waiting').map(({ body }) => body.Does)
  const may = (act: WorkOrder['Acts'][number]['Act']) => order.Acts.some(({ Act, Refusal }) => Act === act && Refusal === null)
  if (order.Status !== 'dispatched' || waiting.includes('process')) return ['comment']
  const isInCharge = may('pause') || may('resume')
  const stopped = waiting.findLast((does) => does === 'pause' || does === 'resume')
  const isPaused = stopped === undefined ? may('resume') : stopped === 'pause'
  const can: readonly (readonly [Does, boolean])[] = [
    ['take', may('take') && !waiting.includes('take')],
    ['arrive', may('process') && !waiting.includes('arrive')],
    ['comment', true],
    ['pause', isInCharge && !isPaused],
    ['resume', isInCharge && isPaused],
    ['process', may('process')],
  ]
  return can.filter(([, is]) => is).map(([does]) => does)
}

/** Of what is offered, what comes next on the way to its end: it is the big button. */
export function nextOf(can: readonly Does[], steps: readonly Pick<OrderStep, 'Act'>[], acts: readonly OrderEntry[]): Does | null {
  const lastOf = (act: OrderStep['Act']) => steps.findLastIndex(({ Act }) => Act === act)
  const hasArrived =
    lastOf('arrive') > lastOf('dispatch') || acts.some(({ state, body }) => state === 'waiting' && body.Does === 'arrive')
  return (
    (['take', 'resume', 'arrive', 'process'] as const).find((does) => can.includes(does) && !(does === 'arrive' && hasArrived)) ??
    null
  )
}

/** So much of an order waits here, its photos among it, and so much the server did not take. */
export function unsentOf(entries: readonly Entry[], orderId: number): { readonly waiting: number; readonly refused: number } {
  const own = entries.filter(({ thing }) => thing === orderThing(orderId))
  const of = (state: Entry['state']) => own.filter((each) => each.state === state).length
  return { waiting: of('waiting'), refused: of('refused') }
}
