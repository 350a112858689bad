import type { Metric } from '@linewarden/sparkplug'
import type { SimulatedDevice } from './device.ts'

/** Readings that could not be sent while the gateway was cut off. */
interface Kept {
  readonly device: SimulatedDevice
  readonly metrics: readonly Metric[]
}

const most = 20_000
const perStep = 200

/** What a gateway keeps until it is back: the oldest go first when there is no room, and all of it is sent marked as history. */
export class KeptReadings {
  readonly #kept: Kept[] = []

  keep(device: SimulatedDevice, metrics: readonly Metric[], now: number): void {
    if (this.#kept.length >= most) this.#kept.shift()
    this.#kept.push({
      device,
      metrics: metrics.map((each) => ({ ...each, isHistorical: true, timestampMs: each.timestampMs ?? now })),
    })
  }

  /** Takes out a step's worth, oldest first. */
  some(): readonly Kept[] {
    return this.#kept.splice(0, perStep)
  }
}
