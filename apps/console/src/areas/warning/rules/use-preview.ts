import type { WarningRule, WarningRuleValues } from '@linewarden/contract'
import { previewWarningRule } from '@linewarden/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../app/net/api.ts'
import { keyOf } from '../../../app/net/keys.ts'
import { useDelayed } from '../../../ui/use-delayed.ts'

/** A person who types is asked nothing; one who has stopped for this long sees what it would do. */
const pauseMs = 900
/** Another preview of the same account is still running: it is asked for again as often as this. */
const busyRetries = 6
const busyAgainMs = 1_500
/** The same figures on the same days come to the same. */
const freshMs = 10 * 60_000

/**
 * What a rule would have raised: by itself once somebody has changed something and paused, else when it is asked for. A preview that is
 * not wanted any more is broken off.
 */
export function usePreview(rule: WarningRule, house: number | null, values: WarningRuleValues | null, isChanged: boolean) {
  const text = useDelayed(values === null ? '' : JSON.stringify(values), pauseMs)
  const [asked, setAsked] = useState(false)
  const now = values === null ? '' : JSON.stringify(values)
  const body = { ...(house !== null && { HouseID: house }), Key: rule.Key, ...(JSON.parse(text || '{}') as WarningRuleValues) }
  const isWanted = text !== '' && rule.Unavailable === null && (isChanged || asked)
  const query = useQuery({
    queryKey: [...keyOf(previewWarningRule, { body }), rule.Version],
    queryFn: ({ signal }) => api.call(previewWarningRule, { body }, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: freshMs,
    retry: (count, error) => error.message === 'preview busy' && count < busyRetries,
    retryDelay: busyAgainMs,
  })
  return {
    query,
    isWanted,
    /** What is shown is not of what stands in the form. */
    isOld: query.isPlaceholderData || text !== now,
    run: () => {
      setAsked(true)
      if (isWanted) void query.refetch()
    },
  }
}
