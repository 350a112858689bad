const maxSeconds = 3_600

/** A delay as somebody wrote it, in seconds; NaN: it is no whole number. */
export const delayOf = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Whether no try may come after that many seconds. */
export const isWrongDelay = (seconds: number): boolean => !(seconds >= 1 && seconds <= maxSeconds)

/** What keeps the form from being saved; null: nothing. What is off may be anything that can be read. */
export function reclosingFault(
  enabled: boolean,
  delays: readonly number[],
  rules: readonly { readonly met: boolean }[],
): 'delayWrong' | 'policyBad' | null {
  if (delays.some(isWrongDelay)) return 'delayWrong'
  return enabled && !rules.every(({ met }) => met) ? 'policyBad' : null
}
