import type {
  Containing,
  LineOverride,
  List,
  queryScenes,
  querySwitch,
  Reply,
  Request,
  Scene,
  ScenePermit,
} from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine, PlantProject } from '../../plant/plant.ts'
import { timersOfLine } from '../../store/automation/contained.ts'
import { linkagesWithLine } from '../../store/automation/linkage.ts'
import * as stored from '../../store/automation/scene.ts'
import { ownersOfScenes, sceneIdsBy, scenePage } from '../../store/automation/scene-page.ts'
import { runningScenesOf } from '../../store/automation/scene-run.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { placeFilter } from './place-filter.ts'
import type { SceneAccess } from './scene-access.ts'

/** Scenes as people read them: how their lines are now, and what stands against running them. */
export function createScenes(
  { database, plant, control, clock }: AutomationDeps,
  access: SceneAccess,
  overrideOf: (line: PlantLine) => Promise<LineOverride>,
) {
  const { records, seen, linesFor, impactsOf } = access
  /** Linkages that read the line, or act on it by themselves or by their scenes; a close by hand is refused because of none. */
  async function linkagesWith({ id }: PlantLine): Promise<Containing[]> {
    const linkages = await linkagesWithLine(database.general, id)
    return linkages.map(({ linkageId, name, enabled, action }) => ({
      ...{ Kind: 'linkage' as const, ID: linkageId, Name: name, Enabled: enabled, NextAt: null, NextAction: action },
      ...{ Blocks: false, Overridable: true, InForce: null, Mismatched: null, Unknown: null, Total: null, Items: [] },
    }))
  }

  return {
    async query(
      actor: Actor,
      project: PlantProject | null,
      { Name, Enabled, Orphan, Sort = 'Name', Page = 1, Size = 200, ...place }: Request<typeof queryScenes>['body'],
    ): Promise<List<Scene>> {
      const filter = { ...placeFilter(actor, plant, project, place), name: Name, enabled: Enabled }
      const { ids, total } = await withRowSecurity(database, actor.scope, async ({ general }) => {
        if (Orphan === undefined) return scenePage(general, filter, { page: Page, size: Size, order: Sort })
        const all = await sceneIdsBy(general, filter, Sort)
        return { ids: all, total: all.length }
      })
      if (Orphan === undefined) return { items: await listed(actor, ids), total }
      // Whether anybody answers for one is asked of rights as they are now, which the database does not know.
      const orphans = await records.orphansOf(await ownersOfScenes(database.general, ids))
      const found = ids.filter((sceneId) => orphans.has(sceneId) === Orphan)
      return { items: await listed(actor, found.slice((Page - 1) * Size, Page * Size)), total: found.length }
    },

    async get(actor: Actor, sceneId: number): Promise<Scene> {
      return records.one(actor, await seen(actor, sceneId))
    },

    /** What it would do now; tags and inspections as the database knows them. */
    async permit(actor: Actor, sceneId: number): Promise<ScenePermit> {
      const scene = await seen(actor, sceneId)
      const record = await records.one(actor, scene)
      const [trips, closes] = (['trip', 'close'] as const).map((action) => linesFor(actor, scene, action))
      const unmet = new Map<string, Scene['Items'][number]['Unmet']>()
      for (const each of (await control.interlocks.permitsOf(actor, closes ?? [], 'close')).items)
        unmet.set(
          `${each.ControllerID}/${each.LineNo}`,
          each.Unmet.map(({ Key, Why, What }) => ({ Key, Text: Why ?? What })),
        )
      const impacts = await impactsOf(trips ?? [], closes ?? [])
      return {
        ...record,
        Items: record.Items.map((item) =>
          item.Action === 'close' && item.Match !== 'inForce'
            ? { ...item, Unmet: unmet.get(`${item.ControllerID}/${item.LineNo}`) ?? item.Unmet }
            : item,
        ),
        ...impacts,
        At: clock(),
      }
    },

    /** What contains a line, for whoever is about to switch it. */
    async containing(actor: Actor, line: PlantLine): Promise<Reply<typeof querySwitch>> {
      const scenes = await stored.scenesWith(database.general, line.id)
      const running = await runningScenesOf(database.general, [line.id])
      const { mode, timers } = await timersOfLine(database.general, line.id)
      const timed = timers.map(({ timerId, name, nextAt, nextAction }) => ({
        ...{ Kind: 'timer' as const, ID: timerId, Name: name, Enabled: true, NextAt: nextAt, NextAction: nextAction },
        ...{ Blocks: mode !== 'free', Overridable: mode !== 'refuse' },
        ...{ InForce: null, Mismatched: null, Unknown: null, Total: null, Items: [] },
      }))
      const ofScenes = (await records.of(actor, scenes)).map((scene) => ({
        ...{ Kind: 'scene' as const, ID: scene.SceneID, Name: scene.Name, Enabled: scene.Enabled, NextAt: null },
        NextAction: scene.Items.find(({ LineID }) => LineID === line.id)?.Action ?? null,
        Blocks: running.some(({ sceneId }) => sceneId === scene.SceneID),
        Overridable: true,
        ...{ InForce: scene.InForce, Mismatched: scene.Mismatched, Unknown: scene.Unknown, Total: scene.Total },
        Items: scene.Items.filter(({ Match }) => Match !== 'inForce'),
      }))
      const items: Containing[] = [...timed, ...ofScenes, ...(await linkagesWith(line))]
      const override = await overrideOf(line)
      return { items, total: items.length, about: { Override: override.Kind === null ? null : override } }
    },
  }

  /** Whole, for their records leave out what is not seen. */
  async function listed(actor: Actor, sceneIds: readonly number[]): Promise<readonly Scene[]> {
    const scenes = await stored.scenesByIds(database.general, sceneIds)
    return records.of(
      actor,
      scenes.filter((scene) => records.seesPart(actor, scene)),
    )
  }
}
