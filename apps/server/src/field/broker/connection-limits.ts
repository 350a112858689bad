import { networkOf } from '@linewarden/rules/account'
import { Counter } from 'prom-client'
import { Limits } from '../../lib/limits.ts'

/** Connections of one network that have not been let in yet. */
export const maxPending = 500
/** Connections of one network that came to nothing: so many at once, and so many a second from then on. */
export const maxFailures = 500
const failuresPerSecond = 50

/** MQTT connections that were cut off before a byte was read: many of them are a flood, or a site whose gateways lost their secrets. */
export const cutOffCounted = new Counter({
  name: 'linewarden_mqtt_connections_cut_off_total',
  help: 'Connections at the MQTT door cut off unread, because their network has too many that wait or came to nothing',
  registers: [],
})

/**
 * What unknown connections may cost. One network has so many connections that wait to be let in, and so many that come to nothing; beyond that its
 * next ones are cut off before a byte is read, and only counted. Whoever has been let in is not touched.
 */
export class ConnectionLimits {
  readonly #clock: () => number
  readonly #failures = new Limits(maxFailures, failuresPerSecond)
  readonly #pending = new Map<string, number>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** A connection has come: what to call once it is let in or gone; null: it is to be cut off. */
  enter(address: string): ((admitted: boolean) => void) | null {
    const network = networkOf(address)
    const pending = this.#pending.get(network) ?? 0
    if (pending >= maxPending || this.#failures.left(network, this.#clock()) < 1) {
      cutOffCounted.inc()
      return null
    }
    this.#pending.set(network, pending + 1)
    let settled = false
    return (admitted) => {
      if (settled) return
      settled = true
      const left = (this.#pending.get(network) ?? 1) - 1
      if (left > 0) this.#pending.set(network, left)
      else this.#pending.delete(network)
      if (!admitted) this.#failures.take(network, this.#clock())
    }
  }
}
