import type { LinkageForm } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../../access/actor.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { StoredLine } from '../../store/automation/linkage-broken.ts'
import { storedLines } from '../../store/automation/linkage-broken.ts'
import { sceneNames } from '../../store/automation/scene.ts'
import type { AutomationDeps } from './deps.ts'
import { goneLineIdsOf, isThereUnknown } from './linkage-lines.ts'

/** What linkages name that is in their project no more, as it is stored. */
export interface Gone {
  readonly lines: ReadonlyMap<number, StoredLine>
  /** Names, by the ids of scenes. */
  readonly scenes: ReadonlyMap<number, string>
}

/** Linkages that name what is in their project no more: of whom that is asked, and what is refused until somebody takes it out. */
export function createGoneLinkages({ database, plant }: Pick<AutomationDeps, 'database' | 'plant'>) {
  return { goneOf, isHidden, visibleStored, visibleName, refuseIfBroken, refuseIfNamed }

  /** `scenes`: those that are still there. */
  async function goneOf(linkages: readonly StoredLinkage[], scenes: readonly { readonly sceneId: number }[]): Promise<Gone> {
    const lineIds = linkages.flatMap((linkage) => goneLineIdsOf(plant, linkage))
    const there = new Set(scenes.map(({ sceneId }) => sceneId))
    const sceneIds = linkages.flatMap(({ actions }) =>
      actions.flatMap(({ sceneId }) => (sceneId === null || there.has(sceneId) ? [] : sceneId)),
    )
    const named = sceneIds.length > 0 ? await sceneNames(database.general, sceneIds) : []
    return {
      lines: await storedLines(database.general, lineIds),
      scenes: new Map(named.map(({ sceneId, name }) => [sceneId, name])),
    }
  }

  /** It is there, and only this server does not know it. */
  function isHidden(actor: Actor, linkage: Pick<StoredLinkage, 'projectId'>, stored: StoredLine | undefined): boolean {
    return isThereUnknown(linkage, stored) && !actor.sees(linkage.projectId)
  }

  /** A gone line as far as somebody may know of it: in another project it is the affair of those who see it there. */
  function visibleStored(
    actor: Actor,
    { projectId }: Pick<StoredLinkage, 'projectId'>,
    gone: StoredLine | undefined,
  ): StoredLine | null {
    if (!gone) return null
    const line = plant.lines.get(gone.lineId)
    const isVisible = line ? actor.seesGateway(line.device.gateway) : gone.projectId === projectId && actor.sees(projectId)
    return isVisible ? gone : null
  }

  function visibleName(actor: Actor, { projectId }: Pick<StoredLinkage, 'projectId'>, name: string | undefined): string | null {
    return name !== undefined && actor.sees(projectId) ? name : null
  }

  /** What names something that is gone is neither enabled nor let order nor cleared: first somebody takes that out. */
  async function refuseIfBroken(
    actor: Actor,
    linkage: StoredLinkage,
    scenes: readonly { readonly sceneId: number }[],
  ): Promise<void> {
    const { lines, scenes: goneScenes } = await goneOf([linkage], scenes)
    refuse(
      goneLineIdsOf(plant, linkage).map((id) => visibleStored(actor, linkage, lines.get(id))),
      [...goneScenes.values()].map((name) => visibleName(actor, linkage, name)),
    )
  }

  /** Nor is it saved while what is saved still names what the linkage has lost. Names are free again once their equipment was removed. */
  async function refuseIfNamed(
    actor: Actor,
    before: StoredLinkage,
    scenes: readonly { readonly sceneId: number }[],
    { Conditions, Actions }: Pick<LinkageForm, 'Conditions' | 'Actions'>,
  ): Promise<void> {
    const { lines, scenes: goneScenes } = await goneOf([before], scenes)
    const places = new Set(
      [...Conditions, ...Actions].flatMap(({ ControllerID, LineNo }) =>
        ControllerID == null || isThere(before, ControllerID, LineNo ?? 0) ? [] : `${ControllerID}/${LineNo ?? 0}`,
      ),
    )
    const isNamed = ({ controllerId, lineNo, deviceId }: StoredLine) =>
      [controllerId, controllerId.replace(`~${deviceId}`, '')].some((id) => places.has(`${id}/${lineNo}`))
    const sceneIds = new Set(Actions.flatMap(({ SceneID }) => SceneID ?? []))
    refuse(
      [...lines.values()].filter(isNamed).map((line) => visibleStored(actor, before, line)),
      [...goneScenes].flatMap(([id, name]) => (sceneIds.has(id) ? visibleName(actor, before, name) : [])),
    )
  }

  function isThere({ projectId }: StoredLinkage, controllerId: string, lineNo: number): boolean {
    return plant.lineAt(controllerId, lineNo)?.device.gateway.project.id === projectId
  }
}

/** Each by its name; null: it is one whose name whoever asks may not know. */
function refuse(lines: readonly (StoredLine | null)[], scenes: readonly (string | null)[]): void {
  if (lines.length + scenes.length === 0) return
  const named = lines.flatMap((line) => line ?? [])
  const [noLine, noScene] = [lines.length - named.length, scenes.filter((name) => name === null).length]
  const missing: Text = {
    zh: [
      ...named.map(({ name }) => `线路「${name}」`),
      ...(noLine > 0 ? [`${noLine} 条线路`] : []),
      ...scenes.flatMap((name) => (name === null ? [] : `场景「${name}」`)),
      ...(noScene > 0 ? [`${noScene} 个场景`] : []),
    ].join('、'),
    en: [
      ...named.map(({ name }) => `line “${name}”`),
      ...(noLine > 0 ? [noLine === 1 ? 'a line' : `${noLine} lines`] : []),
      ...scenes.flatMap((name) => (name === null ? [] : `scene “${name}”`)),
      ...(noScene > 0 ? [noScene === 1 ? 'a scene' : `${noScene} scenes`] : []),
    ].join(', '),
  }
  throw new Refusal('linkage broken', { missing })
}
