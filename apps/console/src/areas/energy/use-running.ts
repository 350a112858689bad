import type { EnergyRunning, getRunning, Request } from '@linewarden/contract'
import { getRunning as runningCall } from '@linewarden/contract'
import { useCall } from '../../app/net/use-call.ts'

const everyMs = 20_000

/** What is used since the last quarter, where the period that is shown contains now; null: it does not, or nothing is known. */
export function useRunning(ask: Request<typeof getRunning>['query'], isShown: boolean): EnergyRunning | null {
  const { data } = useCall(runningCall, { query: ask }, { refetchInterval: everyMs, enabled: isShown })
  return isShown && data?.Wh != null ? data : null
}
