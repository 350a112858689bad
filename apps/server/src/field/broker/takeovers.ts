/** So many within a minute are two pieces of equipment under one number; one may always come back before its old connection has ended. */
const tellingTakeovers = 3
const withinMs = 60_000

/** Watches how often a connection pushes out another one of the same number. */
export class Takeovers {
  readonly #clock: () => number
  readonly #times = new Map<string, number[]>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Notes one more; true: the number is used twice. */
  note(number: string): boolean {
    const now = this.#clock()
    const times = [...(this.#times.get(number) ?? []).filter((at) => now - at < withinMs), now].slice(-tellingTakeovers)
    this.#times.set(number, times)
    return times.length >= tellingTakeovers
  }
}
