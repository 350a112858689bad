import type { Reply, warningDetails } from '@linewarden/contract'
import type { NotEvaluatedReason } from '@linewarden/rules/warning'
import { dayNumber } from './amount.ts'
import type { LeakageFacts } from './charts/leakage-picture.ts'

type Leakage = Pick<
  NonNullable<Reply<typeof warningDetails>['Leakage']>,
  'TripMa' | 'Baseline' | 'Spread' | 'BaselineFrom' | 'BaselineTo' | 'Days'
>

/** What the picture of a leakage is drawn from; null: the trip level is not known, so there is nothing to hold it against. */
export function leakageFacts(
  leakage: Leakage,
  presentMa: number,
  raisedDay: string | null,
): LeakageFacts<NotEvaluatedReason> | null {
  const { TripMa, Baseline, Spread, BaselineFrom, BaselineTo, Days } = leakage
  if (TripMa === null || Days.length === 0) return null
  return {
    days: Days.map(({ Day, FloorMa, Excluded }) => ({
      day: dayNumber(Day),
      floorMa: Excluded === null ? FloorMa : null,
      excluded: Excluded,
    })),
    tripMa: TripMa,
    baseline:
      Baseline === null || BaselineFrom === null || BaselineTo === null
        ? null
        : { from: dayNumber(BaselineFrom), to: dayNumber(BaselineTo), ma: Baseline, spreadMa: Spread ?? 0 },
    raisedDay: raisedDay === null ? null : dayNumber(raisedDay),
    presentMa,
  }
}
