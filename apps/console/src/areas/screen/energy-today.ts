/** The date that a project’s clock shows, and so many days after it. */
export function civilDay(at: number, timeZone: string, plus = 0): string {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
  return new Date(Date.parse(`${today}T00:00:00Z`) + plus * 86_400_000).toISOString().slice(0, 10)
}

export interface EnergyToday {
  /** Null: nothing is known. */
  readonly kwh: number | null
  /** Against yesterday up to the same minute: 0.1 is 10 % more. */
  readonly change: number | null
  /** Of some project nothing is known, or not all. */
  readonly isPart: boolean
}

interface Part {
  readonly wh: number | null
  readonly lacks: boolean
  readonly change: number | null
}

/** Of several together; what cannot be compared of one is not compared of all. */
export function summed(parts: readonly Part[]): EnergyToday {
  const known = parts.flatMap(({ wh }) => wh ?? [])
  const wh = known.reduce((sum, each) => sum + each, 0)
  const isWhole = parts.length > 0 && known.length === parts.length
  const before = parts.reduce((sum, { wh: own, change }) => sum + (own ?? 0) / (1 + (change ?? 0)), 0)
  const isCompared = isWhole && before > 0 && parts.every(({ change }) => change !== null && change > -1)
  return {
    kwh: known.length === 0 ? null : wh / 1_000,
    change: isCompared ? wh / before - 1 : null,
    isPart: !isWhole || parts.some(({ lacks }) => lacks),
  }
}
