import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AlarmAddress } from './address.ts'
import { readAddress, writeAddress } from './address.ts'

/** The list as the address holds it, and how to change it. What is opened can be gone back from; a filter is no place to go back to. */
export function useAlarmAddress(): [AlarmAddress, (change: Partial<AlarmAddress>) => void] {
  const [query, setQuery] = useSearchParams()
  const address = useMemo(() => readAddress(query), [query])
  const change = useCallback(
    (to: Partial<AlarmAddress>) =>
      setQuery((before) => writeAddress({ ...readAddress(before), ...to }, before), { replace: !('event' in to) }),
    [setQuery],
  )
  return [address, change]
}
