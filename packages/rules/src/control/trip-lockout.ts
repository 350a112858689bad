import { mustBeExplained } from './conditions.ts'

/**
 * The cause that locks a line out against closing (ANSI 86), when a state is reported: a protective trip stays to be explained, whatever the
 * device says afterwards. A later remote trip or a restart of the device must not wipe it out. Null: this report locks nothing out.
 * `before`: the value of this state so far; `cause`: the trip cause as it stands with this report.
 */
export function lockoutCause(
  { state, before, value }: { readonly state: string; readonly before: string | undefined; readonly value: string },
  cause: string | undefined,
): string | null {
  if (cause === undefined || !mustBeExplained(cause)) return null
  const reportedAnew = state === 'trip.cause' && before !== value
  const opened = state === 'position' && before === 'closed' && value === 'open'
  return reportedAnew || opened ? cause : null
}
