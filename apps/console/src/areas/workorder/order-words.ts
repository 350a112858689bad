import type { OrderVerification, WorkOrder } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Priority } from '@linewarden/equipment'
import { localised } from '../../ui/i18n.ts'

/** As it is called: by whoever wrote it, else as its alarm is, else by its place. */
export const titleOf = ({ Title, Label, Where }: Pick<WorkOrder, 'Title' | 'Label' | 'Where'>): string =>
  Title || (Label ? localised(Label) : '') || (placeNames(Where).at(-1) ?? '–')

/** How many of its four bars are inked. */
export const priorityBars: Readonly<Record<Priority, number>> = { critical: 4, high: 3, medium: 2, low: 1 }

const hourMs = 3_600_000

/** Whether only an administrator accepts it, with a reason. */
export const isUnverified = ({ Verification }: Pick<WorkOrder, 'Verification'>): boolean =>
  Verification !== null && Verification.State !== 'none' && Verification.State !== 'verified'

/** Whole hours that it has stayed back. */
export const provedHours = ({ HaveMs, NeedMs }: OrderVerification) => ({
  have: Math.floor(HaveMs / hourMs),
  need: Math.round(NeedMs / hourMs),
})

/** The clock that matters now: until somebody takes it, that of taking it. */
export function clockOf(order: WorkOrder): { readonly of: 'respond' | 'resolve'; readonly reading: ClockReading } | null {
  if (!order.Clock || order.Status !== 'dispatched') return null
  const { Respond, Resolve } = order.Clock
  const isFirst = order.TakenAt === null && Respond.Mark !== 'over' && Resolve.Mark === 'onTime'
  return isFirst ? { of: 'respond', reading: Respond } : { of: 'resolve', reading: Resolve }
}

export type ClockReading = NonNullable<WorkOrder['Clock']>['Resolve']

export const isOneOf = <const T extends string>(of: readonly T[], value: string): value is T => of.some((each) => each === value)
