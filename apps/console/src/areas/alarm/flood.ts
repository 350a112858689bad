import { alarmFlood } from '@linewarden/contract'
import { useCall } from '../../app/net/use-call.ts'

const pollMs = 10_000

/** The flood of alarms that this person is in; null: none, or not known. */
export const useFlood = () =>
  useCall(alarmFlood, {}, { refetchInterval: pollMs, refetchIntervalInBackground: true, retry: false }).data?.Flood ?? null
