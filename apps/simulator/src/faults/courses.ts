/** What goes on by itself after a fault was put in: it moves with the time of the plant, not of this machine. */
export class Courses {
  readonly #now: () => number
  readonly #running = new Map<object, Map<string, (now: number) => boolean>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Calls `step` at once and in every step of the plant, until it answers false. A course of the same name of the same thing ends. */
  begin(of: object, name: string, step: (passedMs: number) => boolean): void {
    const started = this.#now()
    const course = (now: number) => step(now - started)
    if (!course(started)) return
    const own = this.#running.get(of) ?? new Map()
    this.#running.set(of, own.set(name, course))
  }

  /** From nothing to all of it, evenly. */
  ramp(of: object, name: string, overMs: number, set: (share: number) => void): void {
    this.begin(of, name, (passedMs) => {
      set(overMs === 0 ? 1 : Math.min(1, passedMs / overMs))
      return passedMs < overMs
    })
  }

  end(of: object): void {
    this.#running.delete(of)
  }

  step(): void {
    const now = this.#now()
    for (const own of this.#running.values()) for (const [name, course] of own) if (!course(now)) own.delete(name)
  }
}
