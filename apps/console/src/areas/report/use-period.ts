import type { ZoneClock } from '@linewarden/contract'
import type { Period } from '@linewarden/rules/report'
import { usualPeriodOf } from '@linewarden/rules/report'
import { useMemo, useState } from 'react'
import { serverNow } from '../../ui/use-now.ts'
import type { DataAddress } from './address.ts'

/** The period that the address means, by the project's clock. Today stays the day on which the page was opened: nothing moves under the hand. */
export function usePeriod({ range, usual }: Pick<DataAddress, 'range' | 'usual'>, zone: ZoneClock): Period {
  const [opened] = useState(serverNow)
  return useMemo(() => range ?? usualPeriodOf(usual, zone, opened), [range, usual, zone, opened])
}
