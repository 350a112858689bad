import type { DurationRow, HeatRow, LoadQuarterRow, Request, TypicalDayRow } from '@linewarden/contract'
import { listLoad } from '@linewarden/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { everyMs } from './period.ts'

/** Whose load of which period. */
export type LoadAsked = Omit<Request<typeof listLoad>['body'], 'Kind'>

interface RowOf {
  readonly profile: TypicalDayRow
  readonly max: LoadQuarterRow
  readonly duration: DurationRow
  readonly heat: HeatRow
}

/** One view of a load; the former one stays until the new one is there. */
export function useLoad<K extends keyof RowOf>(asked: LoadAsked, kind: K) {
  const query = useCall(
    listLoad,
    { body: { ...asked, Kind: kind } },
    { placeholderData: keepPreviousData, refetchInterval: everyMs },
  )
  const shown = useShown(query)
  // Which rows there are is the kind's to say.
  return { query, rows: shown?.items as readonly RowOf[K][] | undefined, about: shown?.about }
}
