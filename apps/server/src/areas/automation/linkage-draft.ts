import type { LinkageForm } from '@linewarden/contract'
import type { DefinitionProblem, LinkageDraft, LinkageSource } from '@linewarden/rules/automation'
import { defaultRelease, linkageProblems, linkageSource } from '@linewarden/rules/automation'
import { detectors } from '@linewarden/rules/warning'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { LinkageValues, StoredAction, StoredCondition } from '../../store/automation/linkage.ts'
import type { WantedOrder } from '../../store/automation/linkage-schema.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import { refuseProblems } from './problem-texts.ts'

const platformAlarms: ReadonlySet<string> = new Set(detectors.map(({ key }) => key))

/** What a condition reads of a line; null: its family has no such thing. */
export const sourceOf = (line: PlantLine, { kind, key }: Pick<StoredCondition, 'kind' | 'key'>): LinkageSource | null =>
  linkageSource(line.device.family, kind, key, platformAlarms)

interface Among {
  readonly plant: Plant
  readonly projectId: number
  /** Scenes of the project. */
  readonly scenes: readonly StoredScene[]
  /** Names of those who get work orders of it, by their accounts; left out: nobody is asked about them. */
  readonly people?: ReadonlyMap<string, string>
}

/** What somebody wants to save, or everything that is wrong with it at once. A line or scene that they do not see does not exist for them. */
export function linkageDraft(actor: Actor, { plant, projectId, scenes, people }: Among, body: LinkageForm): LinkageValues {
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
        order: each.Kind === 'workorder' ? wantedOrder(each.Order ?? null, people) : null,
      }),
    ),
  }
}

const wantedOrder = (order: LinkageForm['Actions'][number]['Order'] | null, people: Among['people']): WantedOrder => ({
  ...{ title: order?.Title.trim() ?? '', priority: order?.Priority ?? 'medium' },
  ...{ personId: order?.PersonInCharge ?? null, personName: people?.get(order?.PersonInCharge ?? '') ?? '' },
})

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
    const on = Kind === 'trip' || Kind === 'close' ? 'switch' : Kind
    const of = Kind === 'scene' ? `scene ${SceneID}` : `${on} ${ControllerID}/${LineNo}`
    if (had.has(of)) return [{ key: 'listed twice', field: `Actions.${index}` }]
    had.add(of)
    return []
  })
}
