import type { Linkage } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { lastLinkageRuns } from '../../store/automation/linkage-log.ts'
import { scenesOf } from '../../store/automation/scene.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAccess } from './linkage-access.ts'
import { createGoneLinkages } from './linkage-gone.ts'
import { lineOf } from './linkage-lines.ts'
import { createNamedRecords, wireTruth } from './linkage-named.ts'
import type { LinkageView } from './linkage-view.ts'

export type LinkageRecords = ReturnType<typeof createLinkageRecords>
/** Where the conditions of a linkage stand now. */
export type ViewOf = (linkage: StoredLinkage) => LinkageView

/** Linkages as their calls answer them: with the lines that the reader sees, and where each condition stands now. */
export function createLinkageRecords(deps: AutomationDeps, access: LinkageAccess, viewOf: ViewOf) {
  const { database, plant, actorNow } = deps
  const { goneOf, isHidden } = createGoneLinkages(deps)
  const named = createNamedRecords(deps)
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
    const reach = await access.reachOf(linkages)
    const gone = await goneOf(linkages, scenes)
    const by = owned ?? (await owners(linkages))
    return linkages.flatMap((linkage) => {
      const project = plant.projects.get(linkage.projectId)
      if (!project) return []
      const view = viewOf(linkage)
      const last = runs.get(linkage.linkageId)
      const owner = linkage.ownerId === null ? null : (by.get(linkage.ownerId) ?? null)
      const shown = linkage.conditions.flatMap((_, index) => {
        const lineId = linkage.conditions[index]?.lineId ?? 0
        const line = lineOf(plant, linkage, lineId)
        const isVisible = line ? actor.seesGateway(line.device.gateway) : !isHidden(actor, linkage, gone.lines.get(lineId))
        return isVisible ? index : []
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
        Conditions: shown.flatMap((index) => named.condition(actor, linkage, index, view, gone)),
        Actions: linkage.actions.flatMap((action) => {
          if (action.sceneId === null) return named.lineAction(actor, linkage, action, gone)
          const name = sceneNames.get(action.sceneId) ?? null
          if (name !== null && !access.seesScene(actor, linkage, action.sceneId, reach)) return []
          return named.sceneAction(actor, linkage, action, name, gone)
        }),
        State: wireTruth(view.truth),
        BlindConditions: view.blind.flatMap((index) => {
          const place = shown.indexOf(index)
          return place < 0 ? [] : place
        }),
        HaltedAt: linkage.halted?.at ?? null,
        HaltedWhy: linkage.halted?.why ?? null,
        ShadowSince: linkage.shadowSince,
        OwnerName: actor.shared ? null : linkage.ownerName,
        Orphan: access.isOrphan(linkage, owner, reach),
        Whole: access.isWholeTo(actor, linkage, reach),
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

export function markOf({ enabled, halted, mode }: StoredLinkage, { blind }: LinkageView): Linkage['Mark'] {
  if (!enabled) return 'disabled'
  if (halted) return 'halted'
  return blind.length > 0 ? 'blind' : mode
}
