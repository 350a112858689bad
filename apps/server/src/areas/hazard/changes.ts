import type { Analysis } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { ruleDetector } from '@linewarden/rules/warning'
import type { Plant } from '../../plant/plant.ts'
import { timingRecord } from '../alarm/tuning.ts'
import { placeIn } from './place.ts'
import type { Counts } from './read.ts'

/** Settings that equipment took over. */
export const changesOf = (plant: Plant, { around }: Counts): Analysis['Changes'] =>
  around.changes.map(({ at, lines, line_id, wanted, former }) => ({
    At: at.getTime(),
    ...placeIn(plant, { gateway_id: null, device_id: null, line_id }),
    Lines: lines,
    Settings: Object.entries(wanted).map(([Key, To]) => ({ Key, From: former[Key] ?? null, To })),
  }))

/** Rules of early warning. */
export function ruleChangesOf(plant: Plant, { around }: Counts): Analysis['RuleChanges'] {
  return around.ruleChanges.map(({ at, project_id, key, version, actor, reason, restored, before, after }) => {
    const detector = ruleDetector(key)
    return {
      At: at.getTime(),
      HouseID: project_id,
      Project: projectName(plant, project_id),
      Key: key,
      Label: detector?.label ?? { zh: key, en: key },
      Version: version,
      ChangedBy: actor,
      Reason: reason,
      Restored: restored,
      Enabled: before.enabled === after.enabled ? null : after.enabled,
      Params: Object.entries(after.params)
        .filter(([name, to]) => before.params[name] !== to)
        .map(([name, to]) => {
          const parameter = detector?.parameters[name]
          return {
            Label: parameter?.label ?? { zh: name, en: name },
            Unit: parameter?.unit || null,
            From: before.params[name] ?? null,
            To: to,
          }
        }),
    }
  })
}

/** Answers of the rationalisation sheet. */
export const sheetChangesOf = (plant: Plant, labelOf: (key: string) => Text, { around }: Counts): Analysis['SheetChanges'] =>
  around.sheetChanges.map(({ at, project_id, key, version, actor, reason, restored }) => ({
    At: at.getTime(),
    HouseID: project_id,
    Project: projectName(plant, project_id),
    Key: key,
    Label: labelOf(key),
    Version: version,
    ChangedBy: actor,
    Reason: reason,
    Restored: restored,
  }))

/** Delays and dead bands of alarms. */
export const tuningChangesOf = (plant: Plant, labelOf: (key: string) => Text, { around }: Counts): Analysis['TuningChanges'] =>
  around.tuningChanges.map(({ at, line_id, key, point, version, actor, reason, restored, before, after }) => ({
    At: at.getTime(),
    ...placeIn(plant, { gateway_id: null, device_id: null, line_id }),
    Key: key,
    Label: labelOf(key),
    Point: point,
    Version: version,
    ChangedBy: actor,
    Reason: reason,
    Restored: restored,
    Before: timingRecord(before),
    After: timingRecord(after),
  }))

const projectName = (plant: Plant, id: number | null): string | null =>
  id === null ? null : (plant.projects.get(id)?.name ?? null)
