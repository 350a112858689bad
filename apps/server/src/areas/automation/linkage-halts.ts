import type { Text } from '@linewarden/equipment'
import type { Plant, PlantGateway, PlantLine, PlantProject } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import { revokeLinkageRuns } from '../../store/automation/execution.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesById } from '../../store/automation/linkage.ts'
import { brokenLinkages } from '../../store/automation/linkage-broken.ts'
import type { HaltedWhy } from '../../store/automation/linkage-schema.ts'
import { haltLinkage, isInForce, noteNear } from '../../store/automation/linkage-state.ts'
import type { AutomationDeps } from './deps.ts'
import { linesOf, namesGoneLine } from './linkage-lines.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { traceOf } from './linkage-trace.ts'
import { foldedView } from './linkage-view.ts'

const haltedKey = 'linkage.halted'

const halts: Readonly<Record<HaltedWhy, Text>> = {
  maxPerHour: { zh: '一小时内动作次数已达上限', en: 'it has acted as often as it may in an hour' },
  maxPerDay: { zh: '一天内动作次数已达上限', en: 'it has acted as often as it may in a day' },
  closesPerHour: { zh: '一小时内自动合闸次数已达上限', en: 'a line was closed as often as it may be in an hour' },
  broken: { zh: '引用的线路或场景已不在项目中', en: 'a line or scene that it names is no longer in the project' },
}

const fault = { kind: 'fault', priority: 'medium', key: haltedKey } as const

const haltLabel = (name: string, why: HaltedWhy): Text => ({
  zh: `联动「${name}」已自动停止：${halts[why].zh}`,
  en: `Linkage “${name}” has stopped itself: ${halts[why].en}`,
})

type Deps = Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'clock'>

/** The fault that a linkage has stopped itself. Raised again, or returned again, nothing changes. */
export function createLinkageHalts({ database, plant, ingest, clock }: Deps) {
  /** Linkages whose halt is announced, and where; null: not looked for yet since the start. */
  let known: Map<number, Announced> | null = null
  const announced = (): Map<number, Announced> => {
    known ??= faultsOf(plant)
    return known
  }
  return {
    /** It has stopped itself: the fault is at the first line of it that is in the project. */
    halted(linkage: StoredLinkage, why: HaltedWhy): void {
      const [line] = linesOf(plant, linkage)
      if (line) raise(linkage, line, why)
    },

    /** It is evaluated again, or not wanted any more. */
    cleared(linkage: StoredLinkage): void {
      const { linkageId } = linkage
      const line = announced().get(linkageId)?.line ?? linesOf(plant, linkage).find((each) => isRaised(linkageId, each))
      if (line) end(linkageId, line)
    },

    /**
     * Those that have stopped themselves, as they are stored: a crash may have come between storing and raising the fault, and a linkage that was
     * removed or disabled has none any more. `isKept`: whether this server knows how a gateway is.
     */
    async halts(
      stored: readonly { readonly linkageId: number; readonly why: HaltedWhy }[],
      isKept: (gateway: PlantGateway) => boolean,
    ): Promise<void> {
      const there = new Set(stored.map(({ linkageId }) => linkageId))
      for (const [linkageId, { line, project }] of announced()) {
        // With a line that was removed its fault has gone, in another project it is nobody's: it is raised at the next.
        const isGone = plant.lines.get(line.id) !== line
        if (isGone) announced().delete(linkageId)
        else if (isKept(line.device.gateway) && (!there.has(linkageId) || line.device.gateway.project !== project))
          end(linkageId, line)
      }
      const missing = stored.flatMap(({ linkageId }) => (announced().has(linkageId) ? [] : linkageId))
      for (const linkage of await linkagesById(database.control, missing)) {
        const [line] = linesOf(plant, linkage)
        if (!line || !isKept(line.device.gateway) || linkage.halted === null) continue
        raise(linkage, line, linkage.halted.why)
        announced().set(linkage.linkageId, at(line))
      }
    },

    /** Those that name what is in their project no more stop themselves, each by itself: nobody knows what they would be without it. To be announced. */
    async haltBroken(live: readonly LiveLinkage[]): Promise<void> {
      const suspects = live.flatMap(({ linkage }) =>
        linkage.halted === null && namesGoneLine(plant, linkage) ? linkage.linkageId : [],
      )
      const broken = new Set(await brokenLinkages(database.control, suspects))
      const failures: unknown[] = []
      for (const each of live)
        if (broken.has(each.linkage.linkageId) && each.linkage.halted === null)
          await haltAsBroken(each).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  }

  async function haltAsBroken({ linkage, rule, state }: LiveLinkage): Promise<void> {
    const now = clock()
    const trace = traceOf(linkage, foldedView(rule, state, now), now, true)
    await database.control.transaction().execute(async (trx) => {
      if (!(await isInForce(trx, linkage, false))) return
      await haltLinkage(trx, linkage.linkageId, 'broken', now)
      // What it was about to close is withdrawn, as by whoever changes it.
      await revokeLinkageRuns(trx, linkage.linkageId)
      await noteNear(trx, [{ linkage, why: 'broken', at: now, trace }])
    })
  }

  function raise({ linkageId, name }: StoredLinkage, line: PlantLine, why: HaltedWhy): void {
    if (!isRaised(linkageId, line)) note('raise', linkageId, line, haltLabel(name, why))
  }

  function end(linkageId: number, line: PlantLine): void {
    announced().delete(linkageId)
    if (isRaised(linkageId, line)) note('return', linkageId, line, haltLabel('', 'broken'))
  }

  function note(act: 'raise' | 'return', linkageId: number, line: PlantLine, label: Text): void {
    ingest.note({
      ...{ act, ...fault, label, point: String(linkageId), value: null, limit: null, unit: '' },
      ...{ gateway: line.device.gateway, line, at: clock(), historical: false },
    })
  }
}

/** A fault, and in which project its line was then. */
interface Announced {
  readonly line: PlantLine
  readonly project: PlantProject
}

const at = (line: PlantLine): Announced => ({ line, project: line.device.gateway.project })

const isRaised = (linkageId: number, line: PlantLine): boolean => line.alarms.has(alarmKeyOf(haltedKey, String(linkageId)))

/** Faults of this kind that were there before this server began. */
function faultsOf({ lines }: Pick<Plant, 'lines'>): Map<number, Announced> {
  const found = new Map<number, Announced>()
  for (const line of lines.values())
    for (const { key, point } of line.alarms.values()) if (key === haltedKey && point !== null) found.set(Number(point), at(line))
  return found
}
