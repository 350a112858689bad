import type { PlantLine } from '../../plant/plant.ts'
import type { Batch, TripLockout } from '../../store/ingest/batch.ts'

const tryAgainMs = 30_000

/** Trips that were seen and that the database has refused so far. They lock their lines out meanwhile, and are given to it again and again. */
export class UnstoredTrips {
  readonly #trips = new Map<PlantLine, TripLockout>()
  #tryAt = 0

  /** After a commit that left some of the batch out. */
  keep({ lockouts, refused }: Batch, now: number): void {
    for (const [line, lockout] of lockouts) if (refused.has(lockout)) this.#trips.set(line, lockout)
    this.#tryAt = now + tryAgainMs
  }

  /** For a timer to call. A trip that the line has reported since stands for the one before. */
  tryAgain(batch: () => Batch, now: number): void {
    if (this.#trips.size === 0 || now < this.#tryAt) return
    const { lockouts } = batch()
    for (const [line, lockout] of this.#trips) if (!lockouts.has(line)) lockouts.set(line, lockout)
    this.#trips.clear()
  }
}
