/** A moment as the clock of a project shows it, whoever reads it: 2026-11-20 10:46. */
export function zonedTime(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(at)
}
