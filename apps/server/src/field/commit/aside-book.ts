import { dayMs } from '@linewarden/equipment'
import type { Quarantined } from '../../store/ingest/batch.ts'

/** What could not be taken of a gateway for one reason. */
export interface Aside {
  readonly reason: string
  /** Of the last such message. */
  readonly detail: string
  /** Unix ms. */
  readonly lastAt: number
  readonly messages: number
}

/** Nobody mends what has not happened for a day. */
const keptMs = dayMs
const maxGateways = 10_000
const maxReasons = 12

/** What gateways say that cannot be taken, by reason, for whoever can mend it. It begins anew with the server: what is still wrong comes again. */
export class AsideBook {
  readonly #byNumber = new Map<string, Map<string, Aside>>()

  note({ number, reason, detail, at }: Pick<Quarantined, 'number' | 'reason' | 'detail' | 'at'>): void {
    if (number === null || (this.#byNumber.size >= maxGateways && !this.#byNumber.has(number))) return
    const own = this.#byNumber.get(number) ?? new Map<string, Aside>()
    this.#byNumber.set(number, own)
    if (own.size >= maxReasons && !own.has(reason)) return
    own.set(reason, { reason, detail: detail.slice(0, 256), lastAt: at, messages: (own.get(reason)?.messages ?? 0) + 1 })
  }

  /** Of the last day, the newest first. */
  of(number: string, now: number): readonly Aside[] {
    const own = this.#byNumber.get(number)
    for (const { reason, lastAt } of own?.values() ?? []) if (lastAt <= now - keptMs) own?.delete(reason)
    if (own?.size === 0) this.#byNumber.delete(number)
    return [...(own?.values() ?? [])].sort((a, b) => b.lastAt - a.lastAt)
  }
}
