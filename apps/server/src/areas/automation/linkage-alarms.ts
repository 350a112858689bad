import type { Truth } from '@linewarden/rules/automation'
import { raisedKey } from '@linewarden/rules/automation'
import type { PlantLine } from '../../plant/plant.ts'
import { alarmKeyOf } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkageNames } from '../../store/automation/linkage.ts'
import { forgetRaised, raisedAlarms } from '../../store/automation/linkage-state.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'
import type { AutomationDeps } from './deps.ts'
import { lineOf } from './linkage-lines.ts'
import type { LiveLinkage } from './linkage-state.ts'

export type LinkageAlarms = ReturnType<typeof createLinkageAlarms>

type Named = Pick<StoredLinkage, 'linkageId' | 'name' | 'projectId'>

/** Alarms that linkages raise. Raised again, or returned again, nothing changes. */
export function createLinkageAlarms({
  database,
  plant,
  ingest,
  clock,
}: Pick<AutomationDeps, 'database' | 'plant' | 'ingest' | 'clock'>) {
  return {
    raise(linkage: StoredLinkage, lineIds: readonly number[]): void {
      for (const lineId of lineIds) note('raise', linkage, lineOf(plant, linkage, lineId))
    },

    /** What was raised returns once the conditions are known to be false, or nobody evaluates the linkage any more. */
    async tick(liveOf: (linkageId: number) => LiveLinkage | null, truthOf: (own: LiveLinkage) => Truth): Promise<void> {
      const raised = await raisedAlarms(database.control)
      if (raised.length === 0) return
      const names = new Map(
        (
          await linkageNames(
            database.control,
            raised.map(({ linkageId }) => linkageId),
          )
        ).map((each) => [each.linkageId, each]),
      )
      for (const { linkageId, lineId } of raised) {
        const linkage = names.get(linkageId)
        const line = plant.lines.get(lineId)
        const own = liveOf(linkageId)
        const isMoved = linkage && line && lineOf(plant, linkage, lineId) === null
        if (own && !isMoved && truthOf(own) !== false) {
          // A crash may have come between storing and raising it.
          if (linkage && line && !line.alarms.has(alarmKeyOf(raisedKey, String(linkageId)))) note('raise', linkage, line)
          continue
        }
        if (linkage) note('return', linkage, line)
        await forgetRaised(database.control, linkageId, lineId)
      }
    },
  }

  function note(act: 'raise' | 'return', { linkageId, name }: Named, line: PlantLine | null | undefined): void {
    if (!line) return
    if (line.alarms.has(alarmKeyOf(raisedKey, String(linkageId))) === (act === 'raise')) return
    ingest.note({
      ...draft(act, linkageId, line),
      ...{ kind: 'alarm', priority: 'high', key: raisedKey },
      label: { zh: `联动报警：${name}`, en: `Linkage alarm: ${name}` },
    })
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
