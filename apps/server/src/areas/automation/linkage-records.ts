import type { Linkage } from '@linewarden/contract'
import type { Truth } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { sceneLinesOf } from '../../store/automation/linkage.ts'
import { lastLinkageRuns } from '../../store/automation/linkage-log.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import type { LinkageView } from './linkage-view.ts'

export type LinkageRecords = ReturnType<typeof createLinkageRecords>
/** Where the conditions of a linkage stand now. */
export type ViewOf = (linkage: StoredLinkage) => LinkageView

/** Linkages as their calls answer them: with the lines that the reader sees, and where each condition stands now. */
export function createLinkageRecords(deps: AutomationDeps, access: LinkageAccess, viewOf: ViewOf) {
  const { database, plant, actorNow } = deps
  return { of, one, owners, markOf }

  async function of(
    actor: Actor,
    linkages: readonly StoredLinkage[],
    owned: ReadonlyMap<string, Actor | null> | null = null,
  ): Promise<readonly Linkage[]> {
    if (linkages.length === 0) return []
    const ids = linkages.map(({ linkageId }) => linkageId)
    const runs = await withRowSecurity(database, actor.scope, ({ general }) => lastLinkageRuns(general, ids))
    const projectIds = [...new Set(linkages.map(({ projectId }) => projectId))]
    const hasScenes = linkages.some(({ actions }) => actions.some(({ sceneId }) => sceneId !== null))
    const scenes = hasScenes ? await scenesOf(database.general, projectIds) : []
    const sceneNames = new Map(scenes.map(({ sceneId, name }) => [sceneId, name]))
    const sceneLines = await sceneLinesOf(database.general, linkages)
    const by = owned ?? (await owners(linkages))
    return linkages.flatMap((linkage) => {
      const project = plant.projects.get(linkage.projectId)
      if (!project) return []
      const view = viewOf(linkage)
      const last = runs.get(linkage.linkageId)
      const owner = linkage.ownerId === null ? null : (by.get(linkage.ownerId) ?? null)
      const shown = linkage.conditions.flatMap((_, index) => {
        const line = plant.lines.get(linkage.conditions[index]?.lineId ?? 0)
        return line && sees(actor, line) ? index : []
      })
      return {
        LinkageID: linkage.linkageId,
        HouseID: linkage.projectId,
        HouseName: project.name,
        TimeZone: project.timeZone,
        Name: linkage.name,
        Enabled: linkage.enabled,
        Mode: linkage.mode,
        Match: linkage.match,
        ActiveHours: linkage.activeHours.map(({ days, from, to }) => ({ Days: days, From: from, To: to })),
        CooldownS: linkage.cooldownS,
        MaxPerHour: linkage.maxPerHour,
        MaxPerDay: linkage.maxPerDay,
        MayClose: linkage.mayClose,
        Mark: markOf(linkage, view),
        Conditions: shown.flatMap((index) => conditionRecord(plant, linkage, index, view)),
        Actions: linkage.actions.flatMap((action) =>
          action.sceneId === null || access.seesScene(actor, action.sceneId, sceneLines)
            ? actionRecord(plant, actor, action, sceneNames)
            : [],
        ),
        State: wireTruth(view.truth),
        BlindConditions: view.blind.flatMap((index) => {
          const place = shown.indexOf(index)
          return place < 0 ? [] : place
        }),
        HaltedAt: linkage.halted?.at ?? null,
        HaltedWhy: linkage.halted?.why ?? null,
        ShadowSince: linkage.shadowSince,
        OwnerName: actor.shared ? null : linkage.ownerName,
        Orphan: access.isOrphan(linkage, owner, sceneLines),
        Whole: access.isWholeTo(actor, linkage, sceneLines),
        Version: linkage.version,
        ChangedAt: linkage.changedAt,
        ChangedBy: actor.shared ? null : linkage.changedBy,
        LastRun: last ? { RunID: last.executionId, At: last.claimedAt, State: last.state } : null,
      }
    })
  }

  async function one(actor: Actor, linkage: StoredLinkage): Promise<Linkage> {
    const [record] = await of(actor, [linkage])
    if (!record) throw new Error(`no record of linkage ${linkage.linkageId}`)
    return record
  }

  /** The owners of these, with the rights that they have now. */
  async function owners(linkages: readonly StoredLinkage[]): Promise<ReadonlyMap<string, Actor | null>> {
    const found = new Map<string, Actor | null>()
    for (const { ownerId } of linkages)
      if (ownerId !== null && !found.has(ownerId))
        found.set(ownerId, await actorNow({ accountId: ownerId, sessionId: '', address: '' }))
    return found
  }
}

const sees = (actor: Actor, line: PlantLine): boolean => actor.seesGateway(line.device.gateway)

export const wireTruth = (truth: Truth) => (truth === 'unknown' ? 'unknown' : truth ? 'true' : 'false')

/** A line as a row names it; nulls: there is none. */
export const placeOf = (line: PlantLine | null) => ({
  ...{ LineID: line?.id ?? null, ControllerID: line?.device.controllerId ?? null },
  ...{ LineNo: line?.lineNo ?? null, LineName: line?.name ?? null },
})

export function markOf({ enabled, halted, mode }: StoredLinkage, { blind }: LinkageView): Linkage['Mark'] {
  if (!enabled) return 'disabled'
  if (halted) return 'halted'
  return blind.length > 0 ? 'blind' : mode
}

function conditionRecord(plant: Plant, { conditions }: StoredLinkage, index: number, view: LinkageView): Linkage['Conditions'] {
  const condition = conditions[index]
  const line = condition && plant.lines.get(condition.lineId)
  const now = view.conditions[index]
  if (!line || !now) return []
  return [
    {
      ...{ Kind: condition.kind, LineID: line.id, ControllerID: line.device.controllerId, LineNo: line.lineNo },
      ...{ LineName: line.name, Family: line.device.family.key },
      ...{ Key: condition.key, Op: condition.op, Value: condition.value, Release: condition.release },
      ...{ ForS: condition.forS, Last: now.value, At: now.at, State: wireTruth(now.truth), Since: now.since },
    },
  ]
}

function actionRecord(
  plant: Plant,
  actor: Actor,
  { kind, lineId, sceneId, delayS }: StoredLinkage['actions'][number],
  sceneNames: ReadonlyMap<number, string>,
): Linkage['Actions'] {
  const line = lineId === null ? null : plant.lines.get(lineId)
  if (lineId !== null && !(line && sees(actor, line))) return []
  return [
    {
      ...{ Kind: kind, ...placeOf(line ?? null) },
      ...{ SceneID: sceneId, SceneName: sceneId === null ? null : (sceneNames.get(sceneId) ?? null), DelayS: delayS },
    },
  ]
}
