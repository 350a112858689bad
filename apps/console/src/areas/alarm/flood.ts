import { alarmFlood } from '@linewarden/contract'
import { useCall } from '../../app/net/use-call.ts'

const pollMs = 10_000

/** Whether alarms flood this person, as it was last asked. */
export const useFloodQuery = () => useCall(alarmFlood, {}, { retry: false })

/** The flood of alarms that this person is in, asked again and again: it also ends by time alone. Null: none, or not known. */
export const useFlood = () =>
  useCall(alarmFlood, {}, { refetchInterval: pollMs, refetchIntervalInBackground: true, retry: false }).data?.Flood ?? null
