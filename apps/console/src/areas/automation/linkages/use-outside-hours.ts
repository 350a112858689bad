import type { Linkage } from '@linewarden/contract'
import { civilZone, isActiveAt } from '@linewarden/rules/automation'
import { useByNow } from '../../../ui/use-now.ts'

/** Whether a linkage does not act at this time of day. */
export const isOutsideHours = ({ ActiveHours, TimeZone }: Pick<Linkage, 'ActiveHours' | 'TimeZone'>, now: number): boolean =>
  !isActiveAt(
    ActiveHours.map(({ Days, From, To }) => ({ days: Days, from: From, to: To })),
    civilZone(TimeZone),
    now,
  )

export const useOutsideHours = (linkage: Pick<Linkage, 'ActiveHours' | 'TimeZone'>): boolean =>
  useByNow((now) => isOutsideHours(linkage, now))
