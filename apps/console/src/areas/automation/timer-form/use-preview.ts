import type { TimerForm } from '@linewarden/contract'
import { previewTimer } from '@linewarden/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../../app/net/api.ts'
import { keyOf } from '../../../app/net/keys.ts'
import { useDelayed } from '../../../ui/use-delayed.ts'

/** A person who types is asked nothing; one who has stopped for this long sees when it would act. */
const pauseMs = 500
/** What is due, tagged or planned by others changes by itself. */
const everyMs = 30_000

/** What a form would do, while it is typed. One is asked for at a time: what is not wanted any more is broken off. */
export function useTimerPreview(house: number, timerId: number | null, form: TimerForm) {
  const now = JSON.stringify(form)
  const text = useDelayed(now, pauseMs)
  const body = { HouseID: house, ...(timerId !== null && { TimerID: timerId }), ...(JSON.parse(text) as TimerForm) }
  const query = useQuery({
    queryKey: keyOf(previewTimer, { body }),
    queryFn: ({ signal }) => api.call(previewTimer, { body }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  })
  return {
    query,
    /** What is shown is not of what stands in the form. */
    isOld: query.isPlaceholderData || text !== now || query.data === undefined,
  }
}
export type TimerPreview = ReturnType<typeof useTimerPreview>
