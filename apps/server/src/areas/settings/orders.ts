import type { SettingChange } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Reach } from '@linewarden/rules/control'
import { sameSetting } from '@linewarden/rules/settings'
import { mergeInterlocks } from '../../field/orders/interlocks.ts'
import type { Plant } from '../../plant/plant.ts'
import type { OrderBlock } from '../../store/control/order-block.ts'
import type { Database } from '../../store/core/database.ts'
import type { NewChange } from '../../store/settings/setting-authorisation.ts'
import { authoriseChanges } from '../../store/settings/setting-authorisation.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import * as stored from '../../store/settings/setting-change.ts'
import { offNow } from '../../store/settings/stored-bypass.ts'
import { Drafts } from './draft.ts'
import type { Intent, Order, Orderer } from './intent.ts'
import { auditsOf } from './order-audit.ts'
import { changeRecord } from './records.ts'
import type { SettingDispatcher } from './setting-dispatcher.ts'
import { refuseUnlessSettable } from './validate.ts'

interface Validated {
  readonly order: Order
  readonly change: NewChange
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly dispatcher: SettingDispatcher
  readonly clock: () => number
}

/** The one way to a setting, for one target or many: each is validated by itself, what may go is stored with its audit, and then sent. */
export class Orders {
  readonly #database: Database
  readonly #plant: Plant
  readonly #dispatcher: SettingDispatcher
  readonly #drafts: Drafts
  readonly #clock: () => number

  constructor({ database, plant, dispatcher, clock }: Deps) {
    this.#database = database
    this.#plant = plant
    this.#dispatcher = dispatcher
    this.#drafts = new Drafts(dispatcher, clock)
    this.#clock = clock
  }

  /** Answers one outcome per order, in their order. */
  async place(intent: Intent, orders: readonly Order[]): Promise<readonly (SettingChange | Refusal)[]> {
    const outcomes = new Map<Order, SettingChange | Refusal>()
    const known = new Map(
      (
        await stored.changesById(
          this.#database,
          orders.map(({ commandId }) => commandId),
        )
      ).map((each) => [each.commandId, each]),
    )
    for (const order of orders) {
      const before = known.get(order.commandId)
      if (before) outcomes.set(order, await this.#replayed(before, order))
    }
    const fresh = orders.filter((order) => !outcomes.has(order))
    const ready = await this.#validated(intent, fresh, outcomes)
    if (ready.length > 0) {
      await intent.proveOrderer()
      // The proof was fetched from the database. Meanwhile somebody may have gone away, or protect by now what was weak when this was validated.
      const still = ready.map(({ order }) => order)
      await this.#send(intent, await this.#validated(intent, still, outcomes), outcomes)
    }
    // One press may have gone out twice in the same moment: then what is under way is the other copy of this very order.
    const stopped = new Map(fresh.filter((order) => isBusy(outcomes.get(order))).map((order) => [order.commandId, order]))
    for (const change of await stored.changesById(this.#database, [...stopped.keys()])) {
      const order = stopped.get(change.commandId)
      if (order) outcomes.set(order, await this.#replayed(change, order))
    }
    return orders.map((order) => outcomes.get(order) ?? new Refusal('failed'))
  }

  /** What may go, as things stand at this moment; why not is the outcome of each of the others. */
  async #validated(
    intent: Intent,
    orders: readonly Order[],
    outcomes: Map<Order, SettingChange | Refusal>,
  ): Promise<readonly Validated[]> {
    const lineIds = orders.flatMap(({ line }) => (line ? [line.id] : []))
    const offs = Map.groupBy(lineIds.length === 0 ? [] : await offNow(this.#database, lineIds), ({ lineId }) => lineId)
    const newer: stored.NewerValues = intent.undo ? await stored.newerValues(this.#database, intent.undo.change) : new Map()
    return orders.flatMap((order) => {
      const change = refusalOr(() => this.#drafts.of(intent, order, { offs: offs.get(order.line?.id ?? 0) ?? [], newer }))
      if (!(change instanceof Refusal)) return [{ order, change }]
      outcomes.set(order, change)
      return []
    })
  }

  async #send(intent: Intent, ready: readonly Validated[], outcomes: Map<Order, SettingChange | Refusal>): Promise<void> {
    const { saved, stopped } = await authoriseChanges(
      this.#database,
      ready.map(({ change }) => change),
      (authorised) => auditsOf(intent, authorised, ready, this.#clock()),
    )
    // Before anything leaves: nobody waits for these locks any more, and what was read under them grows old while the others are sent.
    for (const { order } of ready) {
      const block = stopped.get(order.commandId)
      if (order.line && block?.is === 'interlocked') mergeInterlocks(order.line, block.interlocks)
    }
    for (const { order } of ready)
      if (stopped.has(order.commandId))
        outcomes.set(order, stoppedBy(order, this.#reachOf(order), stopped.get(order.commandId), intent.orderer, this.#clock()))
    const byId = new Map((await this.#dispatched(saved)).map((each) => [each.commandId, each]))
    for (const { order } of ready) {
      const change = byId.get(order.commandId)
      if (change) outcomes.set(order, changeRecord(change, this.#plant))
    }
  }

  /** Stored and not begun: the answer to its COMMIT was lost, and whoever presses again means it. Past its deadline it expires. */
  async #replayed(known: StoredChange, { gateway, line, wanted }: Order): Promise<SettingChange | Refusal> {
    const keys = Object.keys(wanted)
    const same =
      known.gatewayId === gateway.id &&
      known.lineId === (line?.id ?? null) &&
      keys.length === Object.keys(known.wanted).length &&
      keys.every((key) => sameSetting(known.wanted[key] ?? Number.NaN, wanted[key] ?? Number.NaN))
    if (!same) return new Refusal('command id used')
    const [now = known] = known.state === 'authorised' ? await this.#dispatched([known]) : [this.#dispatcher.present(known)]
    return changeRecord(now, this.#plant)
  }

  /** Sends what was authorised and answers it as it is then: some of it may be over before it leaves. */
  async #dispatched(changes: readonly StoredChange[]): Promise<readonly StoredChange[]> {
    await this.#dispatcher.dispatch(changes)
    // The dispatcher no longer has what is over: it is presented as it was given.
    const over = changes.filter((change) => this.#dispatcher.present(change) === change).map(({ commandId }) => commandId)
    const ended = new Map((await stored.changesById(this.#database, over)).map((each) => [each.commandId, each]))
    return changes.map((change) => ended.get(change.commandId) ?? this.#dispatcher.present(change))
  }

  #reachOf({ gateway, line }: Order): Reach {
    return this.#dispatcher.reach(gateway.id, line?.id ?? null)
  }
}

/** What the database knew and the plant in memory did not, in the words of whatever it was. */
function stoppedBy({ line }: Order, reach: Reach, block: OrderBlock | undefined, orderer: Orderer, now: number): Refusal {
  if (!line || block?.is !== 'interlocked') return new Refusal('setting under way')
  return refusalOr(() => refuseUnlessSettable(line, reach, orderer, now)) ?? new Refusal('setting under way')
}

const isBusy = (outcome: SettingChange | Refusal | undefined): boolean =>
  outcome instanceof Refusal && outcome.key === 'setting under way'

function refusalOr<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
