import type { LinkageForm } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type {
  DefinitionProblem,
  LinkageDraft,
  LinkageEffect,
  LinkageSource,
  LinkedRule,
  LoopStep,
} from '@linewarden/rules/automation'
import { defaultRelease, findLoop, linkageProblems, linkageSource, raisedBy } from '@linewarden/rules/automation'
import { detectors } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { LinkageValues, StoredAction, StoredCondition, StoredLinkage } from '../../store/automation/linkage.ts'
import type { CheckAmong, LinkagesAmong } from '../../store/automation/linkage-among.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { problemPath, problemText, refuseProblems } from './problem-texts.ts'

const platformAlarms: ReadonlySet<string> = new Set(detectors.map(({ key }) => key))

/** What a condition reads of a line; null: its family has no such thing. */
export const sourceOf = (line: PlantLine, { kind, key }: Pick<StoredCondition, 'kind' | 'key'>): LinkageSource | null =>
  linkageSource(line.device.family, kind, key, platformAlarms)

interface Among {
  readonly plant: Plant
  readonly projectId: number
  /** Scenes of the project. */
  readonly scenes: readonly StoredScene[]
}

/** What somebody wants to save, or everything that is wrong with it at once. A line or scene that they do not see does not exist for them. */
export function linkageDraft(actor: Actor, { plant, projectId, scenes }: Among, body: LinkageForm): LinkageValues {
  const seen = (controllerId: string, lineNo: number): PlantLine | null => {
    const line = plant.lineAt(controllerId, lineNo)
    return line && actor.seesGateway(line.device.gateway) ? line : null
  }
  const isWhole = ({ items }: StoredScene) =>
    items.every(({ lineId }) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    })
  const named = (line: PlantLine | null) =>
    line && {
      inProject: line.device.gateway.project.id === projectId,
      actions: line.device.family.actions.map(({ key }) => key as string),
    }
  const conditions = body.Conditions.map((each) => {
    const line = seen(each.ControllerID, each.LineNo)
    const source = line && sourceOf(line, { kind: each.Kind, key: each.Key })
    const release = each.Kind === 'point' ? (each.Release ?? defaultRelease(each.Value, source?.precision ?? 0)) : 0
    return { each, line, source, release }
  })
  const actions = body.Actions.map((each) => {
    const scene = each.Kind === 'scene' ? (scenes.find(({ sceneId }) => sceneId === each.SceneID) ?? null) : null
    const line = each.Kind === 'scene' || each.ControllerID == null ? null : seen(each.ControllerID, each.LineNo ?? 0)
    return { each, line, scene: scene && isWhole(scene) ? scene : null }
  })
  const draft: LinkageDraft = {
    ...{ name: body.Name, cooldownS: body.CooldownS, maxPerHour: body.MaxPerHour, maxPerDay: body.MaxPerDay },
    mayClose: body.MayClose,
    activeHours: body.ActiveHours.map(({ Days, From, To }) => ({ days: Days, from: From, to: To })),
    conditions: conditions.map(({ each, line, source, release }) => ({
      ...{
        kind: each.Kind,
        line: String(line?.id ?? ''),
        key: each.Key,
        op: each.Op,
        value: each.Value,
        release,
        forS: each.ForS,
      },
      source: { line: named(line), hasKey: source !== null, barsCloses: source?.barsCloses ?? false },
    })),
    actions: actions.map(({ each, line, scene }) => ({
      kind: each.Kind,
      target: each.Kind === 'scene' ? scene && { inProject: true, actions: [] } : named(line),
      closes: each.Kind === 'close' || (scene?.items.some(({ action }) => action === 'close') ?? false),
      delayS: each.DelayS,
    })),
  }
  const none = { linkageId: 0, conditions: [], effects: [] }
  refuseProblems([...linkageProblems(draft, none, [], new Map()), ...valueProblems(conditions), ...targetProblems(body)])
  return {
    ...{ name: body.Name.trim(), enabled: body.Enabled, mode: body.Mode, match: body.Match, activeHours: draft.activeHours },
    ...{ cooldownS: body.CooldownS, maxPerHour: body.MaxPerHour, maxPerDay: body.MaxPerDay, mayClose: body.MayClose },
    conditions: conditions.flatMap(({ each, line, release }): StoredCondition[] =>
      line
        ? [{ ...{ kind: each.Kind, lineId: line.id, key: each.Key, op: each.Op, value: each.Value, release, forS: each.ForS } }]
        : [],
    ),
    actions: actions.map(
      ({ each, line, scene }): StoredAction => ({
        ...{ kind: each.Kind, lineId: line?.id ?? null, sceneId: scene?.sceneId ?? null, delayS: each.DelayS },
      }),
    ),
  }
}

/** A state, an alarm and a link have a few values only. */
function valueProblems(
  conditions: readonly { readonly each: LinkageForm['Conditions'][number]; readonly source: LinkageSource | null }[],
): readonly DefinitionProblem[] {
  return conditions.flatMap(({ each, source }, index): DefinitionProblem[] => {
    const values = source?.values
    if (!values || values.includes(each.Value)) return []
    return [{ key: 'number out of range', field: `Conditions.${index}.Value`, detail: { from: 0, to: values.length - 1 } }]
  })
}

/** One action of a kind on a thing; two opposite ones on a line would be nobody's intent. */
function targetProblems({ Actions }: LinkageForm): readonly DefinitionProblem[] {
  const had = new Set<string>()
  return Actions.flatMap(({ Kind, ControllerID, LineNo, SceneID }, index): DefinitionProblem[] => {
    const of = Kind === 'scene' ? `scene ${SceneID}` : `${Kind === 'raise' ? 'raise' : 'switch'} ${ControllerID}/${LineNo}`
    if (had.has(of)) return [{ key: 'listed twice', field: `Actions.${index}` }]
    had.add(of)
    return []
  })
}

/** A linkage as far as it can cause others, by the numbers of its lines. */
export function linkedRule(
  { linkageId, conditions, actions }: Pick<StoredLinkage, 'linkageId' | 'conditions' | 'actions'>,
  scenes: readonly StoredScene[],
): LinkedRule {
  return {
    linkageId,
    conditions: conditions.map(({ kind, lineId, key }) => ({ kind, line: String(lineId), key })),
    effects: actions.flatMap(({ kind, lineId, sceneId }): LinkageEffect[] => {
      if (kind === 'scene')
        return (scenes.find((each) => each.sceneId === sceneId)?.items ?? []).map((item) => ({
          kind: item.action,
          line: String(item.lineId),
        }))
      if (lineId === null) return []
      return [kind === 'raise' ? { kind, line: String(lineId), key: raisedBy(linkageId) } : { kind, line: String(lineId) }]
    }),
  }
}

/** Refuses a loop with the others of the project, with its path; and what was decided by `scenes` that have been changed since. */
export const refuseLoop =
  (
    plant: Plant,
    own: Pick<StoredLinkage, 'linkageId' | 'name' | 'conditions' | 'actions'>,
    scenes: readonly StoredScene[],
  ): CheckAmong =>
  ({ linkages, ...among }) => {
    const versionIn = (of: readonly StoredScene[], id: number) => of.find(({ sceneId }) => sceneId === id)?.version
    const isAsRead = ({ sceneId }: StoredAction) =>
      sceneId === null || versionIn(scenes, sceneId) === versionIn(among.scenes, sceneId)
    if (!own.actions.every(isAsRead)) throw new Refusal('changed meanwhile')
    const rest = linkages.filter(({ linkageId }) => linkageId !== own.linkageId)
    refuseLoopOf(plant, { ...among, linkages: [...rest, own] })
  }

/**
 * Holds what a scene is about to do against the linkages that run it, as if each were saved anew: none forms a loop, and none comes to close a
 * line by itself that was not watched in shadow before.
 */
export const refuseOfScene =
  (plant: Plant, scene: Pick<StoredScene, 'sceneId' | 'items'>): CheckAmong =>
  ({ linkages, feeds, scenes }) => {
    const running = linkages.filter(({ actions }) => actions.some(({ sceneId }) => sceneId === scene.sceneId))
    if (running.length === 0) return
    const after = scenes.map((each) => (each.sceneId === scene.sceneId ? { ...each, items: scene.items } : each))
    refuseLoopOf(plant, { linkages, feeds, scenes: after })
    const unwatched = running.filter((each) => closesUnwatched(each, each, { before: scenes, after }))
    const names = (by: string) => unwatched.map(({ name }) => name).join(by)
    if (unwatched.length > 0) throw new Refusal('scene closes by linkage', { linkages: { zh: names('、'), en: names(', ') } })
  }

/** It orders by itself, and would close a line that it did not close before. */
export function closesUnwatched(
  own: Pick<StoredLinkage, 'mode' | 'mayClose' | 'actions'>,
  before: Pick<StoredLinkage, 'mode' | 'mayClose' | 'actions'> | null,
  scenes: { readonly before: readonly StoredScene[]; readonly after: readonly StoredScene[] },
): boolean {
  const had = new Set(before?.mode === 'live' && before.mayClose ? closesOf(before, scenes.before) : [])
  return own.mode === 'live' && own.mayClose && closesOf(own, scenes.after).some((lineId) => !had.has(lineId))
}

export const closesOf = ({ actions }: Pick<StoredLinkage, 'actions'>, scenes: readonly StoredScene[]): readonly number[] =>
  actions.flatMap(({ kind, lineId, sceneId }) => {
    if (kind === 'close') return lineId ?? []
    const items = scenes.find((each) => each.sceneId === sceneId)?.items ?? []
    return items.flatMap((item) => (item.action === 'close' ? item.lineId : []))
  })

interface LoopAmong extends Omit<LinkagesAmong, 'linkages'> {
  readonly linkages: readonly Pick<StoredLinkage, 'linkageId' | 'name' | 'conditions' | 'actions'>[]
}

function refuseLoopOf(plant: Plant, { linkages, feeds, scenes }: LoopAmong): void {
  const loop = findLoop(
    linkages.map((each) => linkedRule(each, scenes)),
    feeds,
  )
  if (!loop) return
  const path = pathOf(plant, linkages, loop)
  const problem: DefinitionProblem = { key: 'linkage loop', field: null, detail: { path } }
  throw new Refusal('linkage loop', { path }, [{ Path: problemPath(problem), Text: problemText(problem) }])
}

function pathOf(plant: Plant, linkages: readonly Pick<StoredLinkage, 'linkageId' | 'name'>[], loop: readonly LoopStep[]): Text {
  const name = (id: number) => linkages.find(({ linkageId }) => linkageId === id)?.name ?? String(id)
  const line = (id: string) => plant.lines.get(Number(id))?.name ?? id
  const steps = (linkage: string, place: string, quote: readonly [string, string]) =>
    [
      ...loop.flatMap((step) => [
        `${linkage}${quote[0]}${name(step.linkageId)}${quote[1]}`,
        `${place}${quote[0]}${line(step.line)}${quote[1]}`,
      ]),
      `${linkage}${quote[0]}${name(loop[0]?.linkageId ?? 0)}${quote[1]}`,
    ].join(' → ')
  return { zh: steps('联动', '线路', ['「', '」']), en: steps('linkage ', 'line ', ['“', '”']) }
}
