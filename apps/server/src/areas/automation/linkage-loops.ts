import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { DefinitionProblem, LinkageEffect, LinkedRule, LoopStep } from '@linewarden/rules/automation'
import { findLoop, raisedBy } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant } from '../../plant/plant.ts'
import type { StoredAction, StoredLinkage } from '../../store/automation/linkage.ts'
import type { CheckAmong, LinkagesAmong } from '../../store/automation/linkage-among.ts'
import type { StoredScene } from '../../store/automation/scene.ts'
import type { UpstreamLineChange } from '../control/upstream-lines.ts'
import { visibleLine } from './linkage-lines.ts'
import { problemPath, problemText } from './problem-texts.ts'

/** Who is refused: what they do not see is not named to them. */
interface Asking {
  readonly plant: Pick<Plant, 'lines'>
  readonly actor: Pick<Actor, 'seesGateway'>
}

/** A linkage as far as it can cause others, by the numbers of its lines. */
function linkedRule(
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
      if (lineId === null || kind === 'workorder') return []
      return [kind === 'raise' ? { kind, line: String(lineId), key: raisedBy(linkageId) } : { kind, line: String(lineId) }]
    }),
  }
}

/** Refuses a loop with the others of the project, with its path; and what was decided by `scenes` that have been changed since. */
export const refuseLoop =
  (
    asking: Asking,
    own: Pick<StoredLinkage, 'linkageId' | 'name' | 'conditions' | 'actions'>,
    scenes: readonly StoredScene[],
  ): CheckAmong =>
  ({ linkages, ...among }) => {
    const versionIn = (of: readonly StoredScene[], id: number) => of.find(({ sceneId }) => sceneId === id)?.version
    const isAsRead = ({ sceneId }: StoredAction) =>
      sceneId === null || versionIn(scenes, sceneId) === versionIn(among.scenes, sceneId)
    if (!own.actions.every(isAsRead)) throw new Refusal('changed meanwhile')
    const rest = linkages.filter(({ linkageId }) => linkageId !== own.linkageId)
    refuseLoopOf(asking, { ...among, linkages: [...rest, own] })
  }

/**
 * Checks what a scene is about to do against the linkages that run it, as if each were saved anew: none forms a loop, and none comes to close a
 * line by itself that was not watched in shadow before.
 */
export const refuseOfScene =
  (asking: Asking, scene: Pick<StoredScene, 'sceneId' | 'items'>): CheckAmong =>
  ({ linkages, feeds, scenes }) => {
    const running = linkages.filter(({ actions }) => actions.some(({ sceneId }) => sceneId === scene.sceneId))
    if (running.length === 0) return
    const after = scenes.map((each) => (each.sceneId === scene.sceneId ? { ...each, items: scene.items } : each))
    refuseLoopOf(asking, { linkages, feeds, scenes: after })
    const unwatched = running.filter((each) => closesUnwatched(each, each, { before: scenes, after }))
    const names = unwatched.map((each) => linkageName(asking, each))
    const joined = (language: keyof Text, by: string) => [...new Set(names.map((name) => name[language]))].join(by)
    if (names.length > 0)
      throw new Refusal('scene closes by linkage', { linkages: { zh: joined('zh', '、'), en: joined('en', ', ') } })
  }

/**
 * Checks a new upstream line, in place of the present one, against the linkages of the project: with all that it feeds the line comes under what
 * they do to its upstream lines, and none forms a loop over it.
 */
export function refuseOfUpstreamLine(
  plant: Plant,
  { actor, line, upstreamLine }: UpstreamLineChange,
  { linkages, feeds, scenes }: LinkagesAmong,
): void {
  const [fed, upstream] = [String(line.id), String(upstreamLine.id)]
  const others = [...feeds].map(([from, lines]) => [from, lines.filter((each) => each !== fed)] as const)
  const after = new Map<string, readonly string[]>(others)
  refuseLoopOf({ plant, actor }, { linkages, scenes, feeds: after.set(upstream, [...(after.get(upstream) ?? []), fed]) })
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

type LoopLinkage = Pick<StoredLinkage, 'linkageId' | 'name' | 'conditions' | 'actions'>

interface LoopAmong extends Omit<LinkagesAmong, 'linkages'> {
  readonly linkages: readonly LoopLinkage[]
}

function refuseLoopOf(asking: Asking, { linkages, feeds, scenes }: LoopAmong): void {
  const loop = findLoop(
    linkages.map((each) => linkedRule(each, scenes)),
    feeds,
  )
  if (!loop) return
  const path = pathOf(asking, linkages, loop)
  const problem: DefinitionProblem = { key: 'linkage loop', field: null, detail: { path } }
  throw new Refusal('linkage loop', { path }, [{ Path: problemPath(problem), Text: problemText(problem) }])
}

/** In the place of a name that somebody does not see. */
const hiddenName: Text = { zh: '（无权查看）', en: '(not yours to see)' }

const nameOf = (own: { readonly name: string } | null | undefined): Text => (own ? { zh: own.name, en: own.name } : hiddenName)

/** A linkage is visible by its lines. */
function linkageName({ plant, actor }: Asking, own: LoopLinkage | undefined): Text {
  const isVisible = ({ lineId }: { readonly lineId: number | null }) => lineId !== null && visibleLine(plant, actor, lineId)
  return nameOf([...(own?.conditions ?? []), ...(own?.actions ?? [])].some(isVisible) ? own : null)
}

function pathOf(asking: Asking, linkages: readonly LoopLinkage[], loop: readonly LoopStep[]): Text {
  const linkage = (id: number): Text => {
    const { zh, en } = linkageName(
      asking,
      linkages.find(({ linkageId }) => linkageId === id),
    )
    return { zh: `联动「${zh}」`, en: `linkage “${en}”` }
  }
  const line = (id: string): Text => {
    const { zh, en } = nameOf(visibleLine(asking.plant, asking.actor, Number(id)))
    return { zh: `线路「${zh}」`, en: `line “${en}”` }
  }
  const steps = [...loop.flatMap((step) => [linkage(step.linkageId), line(step.line)]), linkage(loop[0]?.linkageId ?? 0)]
  return { zh: steps.map(({ zh }) => zh).join(' → '), en: steps.map(({ en }) => en).join(' → ') }
}
