import { clockGood, liveTime } from './quality.ts'

/** When a state was reported: device time, and when we received it; Unix ms. */
export interface ReportedWhen {
  readonly at: number
  readonly receivedAt: number
}

/** The device's time of a change, which cannot lie ahead of its receipt; the server's where that clock is wrong. */
const changedAt = ({ at, receivedAt }: ReportedWhen): number =>
  clockGood(at, receivedAt) ? liveTime(at, receivedAt) : receivedAt

/** Since when a position stands that is newly reported. Null: the first since a birth, whose change nobody observed. */
export const positionSince = (when: ReportedWhen, first: boolean): number | null => (first ? null : changedAt(when))

/** Whether a position that is reported late shows that the line has moved unobserved since it took its present one at `since`. */
export const movedUnobserved = (
  late: ReportedWhen & { readonly value: string },
  present: { readonly value: string | undefined; readonly since: number | null },
): boolean => late.value !== present.value && present.since !== null && changedAt(late) >= present.since
