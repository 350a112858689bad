import { Refusal } from '@linewarden/contract'
import { deadlineFor } from '@linewarden/rules/control'
import { changedSince, reportingInterval } from '@linewarden/rules/settings'
import { storableText } from '../../lib/storable-text.ts'
import type { NewChange } from '../../store/settings/setting-authorisation.ts'
import type { NewerValues } from '../../store/settings/setting-change.ts'
import type { StoredBypass } from '../../store/settings/stored-bypass.ts'
import type { Intent, Order, Undo } from './intent.ts'
import type { SettingDispatcher } from './setting-dispatcher.ts'
import { refuseIfAway, refuseUnlessFree, refuseUnlessSettable, validateInterval, validateOrderOf } from './validate.ts'

/** What the database knows of what else was set where an order is to go. */
export interface Known {
  readonly offs: readonly StoredBypass[]
  readonly newer: NewerValues
}

/** An order as it would be stored at this moment. Throws what stands against it. */
export class Drafts {
  readonly #dispatcher: SettingDispatcher
  readonly #clock: () => number

  constructor(dispatcher: SettingDispatcher, clock: () => number) {
    this.#dispatcher = dispatcher
    this.#clock = clock
  }

  of(intent: Intent, order: Order, { offs, newer }: Known): NewChange {
    const { gateway, line, wanted, commandId } = order
    const now = this.#clock()
    const reach = this.#dispatcher.reach(gateway.id, line?.id ?? null)
    const set = {
      toRestore: new Map(offs.map(({ key, former }) => [key, former])),
      unconfirmed: this.#dispatcher.unconfirmed(gateway.id, line?.id ?? null),
    }
    const bypasses = line
      ? validateOrderOf(line, { wanted, offUntil: intent.offUntil }, set, now)
      : validateInterval(wanted[reportingInterval.key] ?? Number.NaN)
    refuseIfAway(gateway, reach)
    if (this.#dispatcher.underWay(gateway.id, line?.id ?? null) || (line && line.underWay.size > 0))
      throw new Refusal('setting under way')
    if (line && intent.source !== 'expiry') refuseUnlessSettable(line, reach, intent.orderer, now)
    if (!line) refuseUnlessFree(gateway, now)
    const formerOf = (key: string) => (line ? (line.reported.get(key) ?? null) : gateway.reportingPeriodMs / 1000)
    if (intent.undo) this.#refuseIfChanged(intent.undo, newer, formerOf)
    return {
      commandId,
      batchId: intent.batchId,
      gatewayId: gateway.id,
      lineId: line?.id ?? null,
      wanted,
      former: Object.fromEntries(Object.keys(wanted).map((key) => [key, formerOf(key)])),
      accountId: intent.orderer.accountId,
      actor: intent.orderer.userName,
      source: intent.source,
      reason: storableText(intent.reason.trim()),
      template: intent.template,
      undoes: intent.undoes,
      // An order that bypasses nothing on this line has nothing to restore.
      offUntil: bypasses.length > 0 ? intent.offUntil : null,
      issuedAt: now,
      deadline: now + deadlineFor('set'),
      bypasses,
      validatedBy: offs.filter(({ key }) => key in wanted),
      restores: intent.restores,
    }
  }

  /** What was set since by another is not overwritten unseen. */
  #refuseIfChanged({ change, seen }: Undo, newer: NewerValues, reportedOf: (key: string) => number | null): void {
    const unconfirmed = this.#dispatcher.unconfirmed(change.gatewayId, change.lineId, change.commandId)
    for (const [key, wanted] of Object.entries(change.wanted)) {
      const facts = {
        reported: reportedOf(key),
        unconfirmed: unconfirmed.has(key),
        newer: newer.get(key) ?? null,
        seen: seen.get(key) ?? null,
      }
      if (changedSince({ former: change.former[key] ?? wanted, wanted, ...facts })) throw new Refusal('changed meanwhile')
    }
  }
}
