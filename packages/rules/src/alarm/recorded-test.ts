import type { StateAlarm } from '@linewarden/equipment'

const selfTest = 'selfTest'

/** What is on record of a line's last self-test, by its measured trip time; null: none was recorded. */
export type RecordedTest = 'passed' | 'failed' | null

/**
 * As what a reported state counts for an alarm. A self-test that is on record as failed has failed until one passes: a breaker that trips too
 * slowly may well call itself sound.
 */
export const asRecorded = (alarm: StateAlarm, value: string, recorded: RecordedTest): string =>
  alarm.state === selfTest && recorded === 'failed' && !alarm.undecided?.includes(value) ? (alarm.values[0] ?? value) : value

/** The same once a self-test was recorded; null: the alarm is not of a self-test. While one runs the equipment says nothing of how the last went. */
export function asTested(alarm: StateAlarm, reported: string | undefined, recorded: RecordedTest): string | null {
  if (alarm.state !== selfTest) return null
  const state = reported ?? ''
  return asRecorded(alarm, alarm.undecided?.includes(state) ? '' : state, recorded)
}
