import { Refusal } from '@linewarden/contract'
import type { RestoreRefusal } from '@linewarden/rules/settings'
import { afterRefusedRestore, inRestoreWindow } from '@linewarden/rules/settings'
import type { Logger } from 'pino'
import { every } from '../../lib/every.ts'
import { sequential } from '../../lib/sequential.ts'
import { cutText } from '../../lib/storable-text.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import type { StoredBypass } from '../../store/settings/stored-bypass.ts'
import { markFailed, offNow } from '../../store/settings/stored-bypass.ts'
import type { Orders } from './orders.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly orders: Orders
  readonly note: (event: EventDraft) => void
  readonly newId: () => string
  readonly clock: () => number
  readonly log: Logger
}

const tickEveryMs = 1_000

/**
 * Brings protections back that were switched off for a while: at the expiry the former value is ordered on the same path as any setting. Once;
 * where that cannot be, an alarm says that the protection is still off, and people restore it.
 */
export function startExpiry(deps: Deps) {
  const { database, plant, orders, note, clock, log } = deps
  const startedAt = clock()
  /** Lines whose restoring order never left: it is ordered again while its window lasts. */
  const neverLeft = new Set<number>()
  const loop = every(tickEveryMs, restoreDue, { log, failed: 'restoring protections failed; it is tried again in a second' })

  return {
    /** Restores what is due; runs by itself every second. */
    tick: loop.tick,
    /** What became of an order of ours, or of one that sets such a protection anew. */
    onSettled(change: StoredChange): void {
      const line = change.lineId === null ? undefined : plant.lines.get(change.lineId)
      if (!line) return
      if (change.source === 'expiry' && change.state === 'expired') {
        neverLeft.add(line.id)
        return
      }
      for (const key of Object.keys(change.wanted)) {
        if (change.state === 'verified') note(eventOf(line, key, change.former[key] ?? null, 'return', clock()))
        else if (change.source === 'expiry') note(eventOf(line, key, change.wanted[key] ?? null, 'raise', clock()))
      }
    },
    close: () => loop.close(),
  }

  async function restoreDue(): Promise<void> {
    const now = clock()
    const due = (await offNow(database, null)).filter(({ state, until }) => state === 'standing' && until <= now)
    const byLine = Map.groupBy(due, ({ lineId }) => lineId)
    // One that fails keeps back none of the others.
    await sequential(
      [...byLine].map(
        ([lineId, offs]) =>
          () =>
            restore(plant.lines.get(lineId), offs, now),
      ),
    )
  }

  async function restore(line: PlantLine | undefined, offs: readonly StoredBypass[], now: number): Promise<void> {
    if (!line) return markFailed(database, offs)
    const inWindow = inRestoreWindow(Math.max(...offs.map(({ until }) => until)), startedAt, now)
    if (neverLeft.delete(line.id) && !inWindow) return giveUp(line, offs, now, 'expired')
    const commandId = deps.newId()
    const wanted = Object.fromEntries(offs.map(({ key, former }) => [key, former]))
    const order = { gateway: line.device.gateway, line, commandId, wanted }
    const [outcome] = await orders.place(
      {
        orderer: { userName: 'system', address: '', accountId: null, shared: false },
        batchId: commandId,
        source: 'expiry',
        reason: cutText([...new Set(offs.map(({ reason }) => reason))].join('; '), 200),
        offUntil: null,
        template: null,
        undoes: offs[0]?.commandId ?? null,
        undo: null,
        proveOrderer: async () => {},
        restores: offs,
      },
      [order],
    )
    if (outcome && !(outcome instanceof Refusal)) return
    if (outcome && afterRefusedRestore(whyRefused(outcome), inWindow) === 'wait') return
    await giveUp(line, offs, now, outcome?.key)
  }

  async function giveUp(line: PlantLine, offs: readonly StoredBypass[], now: number, why: string | undefined): Promise<void> {
    log.warn({ line: line.id, why }, 'a protection could not be restored')
    await markFailed(database, offs)
    for (const { key, former } of offs) note(eventOf(line, key, former, 'raise', now))
  }
}

function whyRefused({ key }: Refusal): RestoreRefusal {
  switch (key) {
    case '离线':
    case 'not reachable':
      return 'away'
    case 'setting under way':
      return 'busy'
    default:
      return 'refused'
  }
}

function eventOf(line: PlantLine, key: string, limit: number | null, act: 'raise' | 'return', at: number): EventDraft {
  const setting = line.device.family.settings.find((each) => each.key === key)
  const name = setting?.label ?? { zh: key, en: key }
  return {
    act,
    kind: 'alarm',
    priority: 'high',
    key: 'setting.notRestored',
    label: { zh: `${name.zh}到期未能恢复`, en: `${name.en}: protection not restored` },
    point: key,
    value: line.reported.get(key) ?? null,
    limit,
    unit: setting?.unit ?? '',
    gateway: line.device.gateway,
    line,
    at,
    historical: false,
  }
}
