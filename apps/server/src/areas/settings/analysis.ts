import type { LineSettings, List, SettingState } from '@linewarden/contract'
import type { BlockReason } from '@linewarden/rules/control'
import { effectiveSetting, settingDeviation, settingRange } from '@linewarden/rules/settings'
import { conditionRecord } from '../../field/orders/facts.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredChange } from '../../store/settings/setting-change.ts'
import type { Desired, KeptSetting } from '../../store/settings/setting-desired.ts'
import { desiredOf, reportedOf } from '../../store/settings/setting-desired.ts'
import type { StoredBypass } from '../../store/settings/stored-bypass.ts'
import { offNow } from '../../store/settings/stored-bypass.ts'
import { changeRecord } from './records.ts'
import type { SettingDispatcher } from './setting-dispatcher.ts'
import { settableBlocks, whyAway } from './validate.ts'

/** Desired against reported, line by line. */
export function createAnalysis({ database, plant, dispatcher, clock }: Deps) {
  return {
    async of(lines: readonly PlantLine[], { shared }: { readonly shared: boolean }): Promise<List<LineSettings>> {
      const distinct = [...new Set(lines)]
      const ids = distinct.map(({ id }) => id)
      // Before the database is read: a change that ends meanwhile still counts as under way, and none is over whose values are not yet there.
      const underWay = new Map(distinct.map(({ id, device }) => [id, dispatcher.underWay(device.gateway.id, id)]))
      const [desired, reported, off] = await Promise.all([
        desiredOf(database, ids),
        reportedOf(database, ids),
        offNow(database, ids),
      ])
      const known = { shared, underWay, desired: byKey(desired), reported: byKey(reported), off: byKey(off) }
      const items = distinct.map((line) => lineSettings(line, known))
      return { items, total: items.length }
    },
  }

  function lineSettings(line: PlantLine, known: Known): LineSettings {
    const { device } = line
    const underWay = known.underWay.get(line.id)
    const reach = dispatcher.reach(device.gateway.id, line.id)
    return {
      LineID: line.id,
      ControllerID: device.controllerId,
      LineNo: line.lineNo,
      LineName: line.name,
      DeviceID: device.gateway.id,
      GatewayName: device.gateway.name,
      Link: linkOfDevice(device).link,
      Unreachable: whyAway(device.gateway, reach)?.envelope().Text ?? null,
      Unmet: settableBlocks(line, reach, known, clock())
        .filter(({ key }) => !shownElsewhere.has(key))
        .map(conditionRecord),
      Family: device.family.key,
      Model: device.model,
      RatedCurrentA: line.ratedCurrentA,
      IntervalSeconds: device.gateway.reportingPeriodMs / 1000,
      Settings: device.family.settings.map((setting): SettingState => {
        const id = idOf({ lineId: line.id, key: setting.key })
        const desired = known.desired.get(id)
        const off = known.off.get(id)
        const reported = line.reported.get(setting.key) ?? null
        const { min, max } = settingRange(setting, device.model, line.ratedCurrentA)
        return {
          Key: setting.key,
          Reported: reported,
          ReportedAt: known.reported.get(id)?.at ?? null,
          Desired: desired?.value ?? null,
          DesiredAt: desired?.at ?? null,
          By: desired?.actor ?? null,
          Source: desired?.source ?? null,
          Effective: effectiveSetting(setting, reported, device.model, line.ratedCurrentA),
          Min: min,
          Max: max,
          Standing: settingDeviation(desired?.value ?? null, reported),
          Off: off ? { Until: off.until, Former: off.former, State: off.state, Reason: off.reason } : null,
        }
      }),
      UnderWay: underWay ? changeRecord(underWay, plant) : null,
    }
  }
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly dispatcher: SettingDispatcher
  readonly clock: () => number
}

/** By `Unreachable` and `UnderWay`. */
const shownElsewhere: ReadonlySet<BlockReason> = new Set(['online', 'reachable', 'pending'])

interface Known {
  readonly shared: boolean
  readonly underWay: ReadonlyMap<number, StoredChange | null>
  readonly desired: ReadonlyMap<string, Desired>
  readonly reported: ReadonlyMap<string, KeptSetting>
  readonly off: ReadonlyMap<string, StoredBypass>
}

const idOf = ({ lineId, key }: { readonly lineId: number; readonly key: string }) => `${lineId} ${key}`
const byKey = <T extends { readonly lineId: number; readonly key: string }>(items: readonly T[]): Map<string, T> =>
  new Map(items.map((each) => [idOf(each), each]))
