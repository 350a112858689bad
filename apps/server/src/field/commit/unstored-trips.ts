import type { PlantLine } from '../../plant/plant.ts'
import type { Batch, Latch } from '../../store/ingest/batch.ts'

const tryAgainMs = 30_000

/** Trips that were seen and that the database has refused so far. They hold their lines meanwhile, and are given to it again and again. */
export class UnstoredTrips {
  readonly #trips = new Map<PlantLine, Latch>()
  #tryAt = 0

  /** After a commit that left some of the batch out. */
  keep({ latches, refused }: Batch, now: number): void {
    for (const [line, latch] of latches) if (refused.has(latch)) this.#trips.set(line, latch)
    this.#tryAt = now + tryAgainMs
  }

  /** For a timer to call. A trip that the line has reported since stands for the one before. */
  tryAgain(batch: () => Batch, now: number): void {
    if (this.#trips.size === 0 || now < this.#tryAt) return
    const { latches } = batch()
    for (const [line, latch] of this.#trips) if (!latches.has(line)) latches.set(line, latch)
    this.#trips.clear()
  }
}
