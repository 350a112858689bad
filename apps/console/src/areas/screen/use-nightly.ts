import { useEffect } from 'react'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import { isNightlyDue } from './nightly.ts'

const share = Math.random()
let loadedAt: number | null = null

/** Loads a calm wall anew each night. `isCalm`: nothing calls, and the server is there to give the page. */
export function useNightly(timeZone: string, isCalm: boolean): void {
  const isDue = useByNow((now) => {
    loadedAt ??= serverNow()
    return isCalm && isNightlyDue(now, { loadedAt, timeZone, share })
  })
  useEffect(() => {
    if (isDue) location.reload()
  }, [isDue])
}
