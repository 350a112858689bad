type Running = Map<object, Map<string, (now: number) => boolean>>

/** What goes on by itself after a fault was put in: it moves with the time of the plant, not of this machine. */
export class Courses {
  readonly #now: () => number
  readonly #running: Running
  /** When what begins here began; null: now. */
  readonly #began: number | null

  constructor(now: () => number, running: Running = new Map(), began: number | null = null) {
    this.#now = now
    this.#running = running
    this.#began = began
  }

  /** The same courses: what is begun through these began then, and is as far as it has come since. */
  begunAt(began: number): Courses {
    return new Courses(this.#now, this.#running, began)
  }

  /** Calls `step` at once and in every step of the plant, until it answers false. A course of the same name of the same thing ends. */
  begin(of: object, name: string, step: (passedMs: number) => boolean): void {
    const now = this.#now()
    const started = this.#began ?? now
    const course = (at: number) => step(at - started)
    if (!course(now)) return
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
