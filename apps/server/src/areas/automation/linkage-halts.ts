import type { Text } from '@linewarden/equipment'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesById } from '../../store/automation/linkage.ts'
import type { HaltedWhy } from '../../store/automation/linkage-schema.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import type { AutomationDeps } from './deps.ts'

const haltedKey = 'linkage.halted'

const halts: Readonly<Record<HaltedWhy, Text>> = {
  maxPerHour: { zh: '一小时内动作次数已达上限', en: 'it has acted as often as it may in an hour' },
  maxPerDay: { zh: '一天内动作次数已达上限', en: 'it has acted as often as it may in a day' },
  closesPerHour: { zh: '一小时内自动合闸次数已达上限', en: 'a line was closed as often as it may be in an hour' },
  broken: { zh: '引用已失效', en: 'something that it names is gone' },
}

const fault = { kind: 'fault', priority: 'medium', key: haltedKey } as const

const haltLabel = (name: string, why: HaltedWhy): Text => ({
  zh: `联动「${name}」已自动停止：${halts[why].zh}`,
  en: `Linkage “${name}” has stopped itself: ${halts[why].en}`,
})

/** The fault that a linkage has stopped itself. Raised again, or returned again, nothing changes. */
export function createLinkageHalts({
  database,
  plant,
  ingest,
  clock,
}: Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'clock'>) {
  /** Linkages whose halt is announced, and at which line; null: not looked for yet since the start. */
  let halted: Map<number, PlantLine> | null = null
  return {
    /** It has stopped itself: the fault is at the first line that it reads. */
    halted(linkage: StoredLinkage, why: HaltedWhy): void {
      noteHalt('raise', linkage, why)
    },

    /** It is evaluated again, or not wanted any more. */
    cleared(linkage: StoredLinkage): void {
      noteHalt('return', linkage, 'broken')
    },

    /**
     * Those that have stopped themselves, as they are stored: a crash may have come between storing and raising the fault, and a linkage that was
     * removed or disabled has none any more. `isKept`: whether this server knows how a gateway is.
     */
    async halts(
      stored: readonly { readonly linkageId: number; readonly why: HaltedWhy }[],
      isKept: (gateway: PlantGateway) => boolean,
    ): Promise<void> {
      halted ??= faultsOf(plant)
      const there = new Set(stored.map(({ linkageId }) => linkageId))
      for (const [linkageId, line] of halted) {
        if (there.has(linkageId) || !isKept(line.device.gateway)) continue
        if (line.alarms.has(alarmKeyOf(haltedKey, String(linkageId))))
          ingest.note({ ...draft('return', linkageId, line), ...fault, label: haltLabel('', 'broken') })
        halted.delete(linkageId)
      }
      const missing = stored.filter(({ linkageId }) => !halted?.has(linkageId))
      const linkages = await linkagesById(
        database.control,
        missing.map(({ linkageId }) => linkageId),
      )
      for (const linkage of linkages) {
        const line = plant.lines.get(linkage.conditions[0]?.lineId ?? 0)
        if (!line || !isKept(line.device.gateway) || linkage.halted === null) continue
        noteHalt('raise', linkage, linkage.halted.why)
        halted.set(linkage.linkageId, line)
      }
    },
  }

  function noteHalt(act: 'raise' | 'return', { linkageId, name, conditions }: StoredLinkage, why: HaltedWhy): void {
    const line = plant.lines.get(conditions[0]?.lineId ?? 0)
    if (!line || line.alarms.has(alarmKeyOf(haltedKey, String(linkageId))) === (act === 'raise')) return
    ingest.note({ ...draft(act, linkageId, line), ...fault, label: haltLabel(name, why) })
  }

  function draft(
    act: 'raise' | 'return',
    linkageId: number,
    line: PlantLine,
  ): Omit<EventDraft, 'kind' | 'priority' | 'key' | 'label'> {
    return {
      ...{ act, point: String(linkageId), value: null, limit: null, unit: '', gateway: line.device.gateway, line },
      ...{ at: clock(), historical: false },
    }
  }
}

/** Faults of this kind that were there before this server began. */
function faultsOf({ lines }: Pick<Plant, 'lines'>): Map<number, PlantLine> {
  const found = new Map<number, PlantLine>()
  for (const line of lines.values())
    for (const { key, point } of line.alarms.values()) if (key === haltedKey && point !== null) found.set(Number(point), line)
  return found
}
