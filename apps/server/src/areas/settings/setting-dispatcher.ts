import type { SettingChange } from '@linewarden/contract'
import { settingHistory } from '@linewarden/contract'
import type { Reach } from '@linewarden/rules/control'
import { blocksAtSending, canLeave, isUnderWay, personBlocks } from '@linewarden/rules/control'
import type { SettingFact } from '@linewarden/rules/settings'
import { bypassesByNow, foldSetting, reportingInterval } from '@linewarden/rules/settings'
import type { Logger } from 'pino'
import type { Ingest } from '../../field/ingest.ts'
import type { Evidence } from '../../field/orders/dispatcher.ts'
import { Dispatcher } from '../../field/orders/dispatcher.ts'
import { blockOutcome, gatewayInterlocks, track } from '../../field/orders/interlocks.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { LiveTopic } from '../../plant/live-topics.ts'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import { blockOutcomesOf } from '../../store/control/order-block.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import * as stored from '../../store/settings/setting-change.ts'
import { saveChanges } from '../../store/settings/setting-life.ts'
import { changeRecord } from './records.ts'
import { settingsOf } from './validate.ts'

export type SettingDispatcher = ReturnType<typeof createSettingDispatcher>

export interface SettingDispatcherDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'sendInterval' | 'reach'>
  readonly clock: () => number
  readonly log: Logger
  /** A change came to an end, or to "unknown"; after it was stored. */
  readonly onSettled: (change: StoredChange) => void
}

/**
 * Dispatches settings to lines and gateways, as `execution.ts` dispatches actions: what belongs to one order of a person goes and is stored
 * together, so that two hundred lines are a handful of transactions. Nothing is sent twice.
 */
export function createSettingDispatcher(deps: SettingDispatcherDeps) {
  const { database, plant, hub, ingest, onSettled } = deps
  const lineOf = ({ lineId }: StoredChange): PlantLine | undefined => (lineId === null ? undefined : plant.lines.get(lineId))
  const gatewayOf = ({ gatewayId }: StoredChange) => plant.gateways.get(gatewayId)

  const dispatcher = new Dispatcher<StoredChange, SettingFact>(
    {
      fold: foldSetting,
      save: (steps) => saveChanges(database, steps),
      blockOutcome(change, now) {
        const gateway = gatewayOf(change)
        if (change.lineId === null && gateway) {
          const block = personBlocks(gatewayInterlocks(gateway), 'set', now)
          return block && blocksAtSending[block]
        }
        const line = lineOf(change)
        // Nothing blocks restoring a protection.
        if (!line || change.source === 'expiry') return null
        const circumstances = { reach: reach(change.gatewayId, line.id), quietUntil: null }
        return (
          blockOutcome('set', line, change.fence, circumstances, now) ??
          (bypassesByNow(settingsOf(line), change) ? 'protects_by_now' : null)
        )
      },
      storedBlockOutcomes: (changes, now) => storedBlockOutcomes(deps, changes, now),
      reaches: ({ gatewayId, lineId }) => canLeave(reach(gatewayId, lineId)),
      transmit,
      again: () => false,
      queueOf: ({ batchId }) => batchId,
      placeOf: ({ gatewayId, lineId }) => placeOf(gatewayId, lineId),
      gatewayOf,
      evidenceIn,
      overdue: (before) => stored.overdueChanges(database, before),
      announce,
      settled: onSettled,
    },
    deps,
  )

  return {
    /** Takes up what was open when the server stopped. */
    start: async (): Promise<void> => dispatcher.start(() => stored.openChanges(database)),
    /** Sends what was authorised; resolves when all of it has left, or is known never to leave. */
    dispatch: (changes: readonly StoredChange[]): Promise<void> => dispatcher.begin(changes),
    /** Moves time on for every open order; runs by itself every quarter of a second. */
    tick: dispatcher.tick,
    sweep: dispatcher.sweep,
    present: (change: StoredChange) => dispatcher.openById(change.commandId) ?? change,
    underWay: (gatewayId: number, lineId: number | null): StoredChange | null =>
      dispatcher.openAt(placeOf(gatewayId, lineId)).find(({ state }) => isUnderWay(state)) ?? null,
    /** Settings that an order, other than this one, may have changed, without the equipment having reported so or not since. */
    unconfirmed: (gatewayId: number, lineId: number | null, but: string | null = null): ReadonlySet<string> =>
      new Set(
        dispatcher
          .openAt(placeOf(gatewayId, lineId))
          .filter(({ commandId }) => commandId !== but)
          .flatMap(({ wanted }) => Object.keys(wanted)),
      ),
    reach,
    close: dispatcher.close,
  }

  function transmit(change: StoredChange): 'sent' | 'no_session' {
    const { commandId, lineId, wanted, issuedAt, deadline, fence } = change
    const gateway = gatewayOf(change)
    if (!gateway) return 'no_session'
    const order = { gateway, commandId, issuedAt, deadline, fence }
    if (lineId === null) return ingest.sendInterval({ ...order, seconds: wanted[reportingInterval.key] ?? Number.NaN })
    const line = lineOf(change)
    if (!line) return 'no_session'
    const { wireId } = line.device
    return ingest.send({ ...order, wireId, lineNo: line.lineNo, action: 'set', settings: wanted })
  }

  /** `lineId` null: the gateway itself. */
  function reach(gatewayId: number, lineId: number | null): Reach {
    const gateway = plant.gateways.get(gatewayId)
    const line = lineId === null ? null : plant.lines.get(lineId)
    return gateway && line !== undefined ? ingest.reach(gateway, line?.device ?? null) : 'not_connected'
  }

  function announce(changes: readonly StoredChange[]): void {
    const lines: PlantLine[] = []
    const live = changes.flatMap((change) => {
      const line = lineOf(change)
      if (line) {
        track(line, change, 'set')
        lines.push(line)
      }
      const gateway = gatewayOf(change)
      return gateway ? [changeTopic(changeRecord(change, plant), gateway)] : []
    })
    hub.publish({ lines, live })
  }
}

/** Tags and inspections by which the database keeps orders from leaving, by id. */
async function storedBlockOutcomes(
  { database, plant }: Pick<SettingDispatcherDeps, 'database' | 'plant'>,
  changes: readonly StoredChange[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const linesOf = changes.map((change) => [change.commandId, linesTouched(change, plant)] as const)
  const ids = new Set(linesOf.flatMap(([, lineIds]) => lineIds))
  const outcomes = await blockOutcomesOf(database.general, 'set', [...ids], now)
  return new Map(
    linesOf.flatMap(([commandId, lineIds]) => lineIds.flatMap((id) => outcomes.get(id) ?? []).map((each) => [commandId, each])),
  )
}

/** A gateway's own setting touches all that is behind it; nothing blocks restoring a protection. */
function linesTouched({ lineId, gatewayId, source }: StoredChange, plant: Plant): readonly number[] {
  if (lineId !== null) return source === 'expiry' ? [] : [lineId]
  const gateway = plant.gateways.get(gatewayId)
  return gateway ? linesBehind(gateway).map(({ id }) => id) : []
}

const placeOf = (gatewayId: number, lineId: number | null): string =>
  lineId === null ? `gateway ${gatewayId}` : `line ${lineId}`

/** The values that the equipment reported, each to the orders that are open at its place. */
function evidenceIn(
  { readBacks = [] }: Committed,
  openAt: (place: string) => readonly StoredChange[],
): readonly Evidence<SettingFact>[] {
  return readBacks.flatMap(({ gateway, line, key, value, deviceAt, receivedAt: at }) =>
    openAt(placeOf(gateway.id, line?.id ?? null)).map(
      ({ commandId }): Evidence<SettingFact> => [commandId, { kind: 'readBack', key, value, deviceAt, at }],
    ),
  )
}

const changeTopic = (change: SettingChange, gateway: PlantGateway): LiveTopic => ({
  to: { gateway },
  needs: settingHistory,
  message: { t: 'setting', change },
})
