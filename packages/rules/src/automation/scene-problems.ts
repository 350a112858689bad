import type { DefinitionProblem, NamedLine } from './definition-problem.ts'
import { lineProblems, nameProblems, rangeProblems, tooMany } from './definition-problem.ts'
import type { SceneAction } from './override.ts'

export const maxSceneItems = 500
const maxOrder = 999

export interface SceneDraft {
  readonly name: string
  readonly items: readonly {
    readonly line: string
    readonly action: SceneAction
    readonly order: number
    /** Null: not there, or not to be seen by whoever saves. */
    readonly known: NamedLine | null
  }[]
}

/** Everything that is wrong with a scene, all at once. A line is in it once: two words on one line cannot both be in force. */
export function sceneProblems({ name, items }: SceneDraft): readonly DefinitionProblem[] {
  if (items.length === 0) return [...nameProblems(name), { key: 'device missing', field: 'Items' }]
  const lines = new Set<string>()
  return [
    ...nameProblems(name),
    ...tooMany('Items', 'lines', items.length, maxSceneItems),
    ...items.flatMap(({ line, action, order, known }, index) => {
      const own = `Items.${index}`
      const isTwice = lines.has(line)
      lines.add(line)
      return [
        ...lineProblems(own, known, action),
        ...(isTwice ? [{ key: 'listed twice', field: own } as const] : []),
        ...rangeProblems(`${own}.Order`, order, 0, maxOrder),
      ]
    }),
  ]
}
