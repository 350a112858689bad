/** Notifies every listener. One that throws is reported and keeps nothing from the others: what comes live comes once. */
export function notifyEach<L>(
  listeners: readonly L[],
  notify: (listener: L) => void,
  report: (error: unknown) => void = console.error,
): void {
  for (const listener of listeners) {
    try {
      notify(listener)
    } catch (error) {
      report(error)
    }
  }
}
