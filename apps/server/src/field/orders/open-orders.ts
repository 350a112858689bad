import { hourMs } from '@linewarden/equipment'
import type { Life } from '@linewarden/rules/control'
import { isFinal } from '@linewarden/rules/control'

/** An authorised order that is being dispatched: an action or a setting. */
export interface OpenOrder extends Life {
  readonly commandId: string
}

/** No request lives so long that it could bring an order a second time. */
const rememberMs = hourMs

/** The orders that are open, by their ids and by what they are about; and which were taken up a while ago. */
export class OpenOrders<L extends OpenOrder> {
  readonly #placeOf: (life: L) => string
  readonly #clock: () => number
  readonly #byId = new Map<string, L>()
  readonly #byPlace = new Map<string, Set<string>>()
  /** What was taken up, with its deadline: also when it is over, it is never begun again. */
  readonly #begun = new Map<string, number>()

  constructor(placeOf: (life: L) => string, clock: () => number) {
    this.#placeOf = placeOf
    this.#clock = clock
  }

  get size(): number {
    return this.#byId.size
  }

  all(): Iterable<L> {
    return this.#byId.values()
  }

  byId(commandId: string): L | undefined {
    return this.#byId.get(commandId)
  }

  at(place: string): readonly L[] {
    return [...(this.#byPlace.get(place) ?? [])].flatMap((id) => this.#byId.get(id) ?? [])
  }

  wasBegun({ commandId }: L): boolean {
    return this.#begun.has(commandId)
  }

  keep(life: L): void {
    const { commandId, deadline } = life
    this.#byId.set(commandId, life)
    this.#forgetBegun()
    this.#begun.set(commandId, deadline)
    const place = this.#placeOf(life)
    this.#byPlace.set(place, (this.#byPlace.get(place) ?? new Set()).add(commandId))
  }

  /** The order as a step has left it: one that is over is not open any more. */
  move(life: L): void {
    if (isFinal(life.state)) this.#remove(life)
    else this.#byId.set(life.commandId, life)
  }

  #remove(life: L): void {
    this.#byId.delete(life.commandId)
    const place = this.#placeOf(life)
    const others = this.#byPlace.get(place)
    others?.delete(life.commandId)
    if (others?.size === 0) this.#byPlace.delete(place)
  }

  #forgetBegun(): void {
    for (const [id, deadline] of this.#begun) {
      if (deadline + rememberMs > this.#clock()) break
      this.#begun.delete(id)
    }
  }
}
