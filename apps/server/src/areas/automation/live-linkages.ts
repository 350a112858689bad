import type { LiveLinkage } from '@linewarden/rules/automation'
import type { Plant, PlantProject } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesOf } from '../../store/automation/linkage.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import { createLinkageParts } from './linkage-parts.ts'
import { lineKey } from './timer-form.ts'

export interface NamedLinkage extends LiveLinkage {
  readonly name: string
}

/** Linkages of a project that order now, as timers can set them off. */
export async function liveLinkages(
  { database, plant }: Pick<AutomationDeps, 'database' | 'plant'>,
  project: Pick<PlantProject, 'id'>,
): Promise<readonly NamedLinkage[]> {
  const linkages = (await linkagesOf(database.general, [project.id])).filter(
    ({ enabled, mode, halted }) => enabled && mode === 'live' && halted === null,
  )
  const hasScenes = linkages.some(({ actions }) => actions.some(({ sceneId }) => sceneId !== null))
  const scenes = hasScenes ? await scenesOf(database.general, [project.id]) : []
  const { mayBeDanger } = createLinkageParts(plant)
  return linkages.map((linkage) => ({
    ...{ linkageId: linkage.linkageId, name: linkage.name, match: linkage.match, activeHours: linkage.activeHours },
    conditions: linkage.conditions.map(({ kind, lineId, key, op, value, forS }) => ({
      ...{ kind, line: keyOf(plant, lineId), key, op, value, forS },
    })),
    effects: effectsOf(plant, linkage, scenes, linkage.mayClose && !mayBeDanger(linkage)),
  }))
}

/** Of a line that is to be tripped and closed the trip counts. */
function effectsOf(
  plant: Plant,
  { actions }: StoredLinkage,
  scenes: readonly StoredScene[],
  mayClose: boolean,
): LiveLinkage['effects'] {
  const does = new Map<string, 'trip' | 'close'>()
  const add = (lineId: number, action: 'trip' | 'close') => {
    const line = keyOf(plant, lineId)
    if (action === 'trip' || (mayClose && !does.has(line))) does.set(line, action)
  }
  for (const { kind, lineId, sceneId } of actions) {
    if (lineId !== null && (kind === 'trip' || kind === 'close')) add(lineId, kind)
    const scene = sceneId === null ? undefined : scenes.find((each) => each.sceneId === sceneId)
    if (scene?.enabled) for (const item of scene.items) add(item.lineId, item.action)
  }
  return [...does].map(([line, action]) => ({ line, does: action }))
}

/** A line that is gone is no line of any timer. */
const keyOf = (plant: Plant, lineId: number): string => {
  const line = plant.lines.get(lineId)
  return line ? lineKey(line) : `gone ${lineId}`
}
