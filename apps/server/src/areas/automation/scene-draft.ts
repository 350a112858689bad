import type { insertScene, Problem, Request } from '@linewarden/contract'
import { Refusal, text } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { DefinitionProblem, DefinitionProblemKey } from '@linewarden/rules/automation'
import { sceneProblems } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { SceneValues } from '../../store/automation/scene.ts'

type SceneBody = Pick<Request<typeof insertScene>['body'], 'Name' | 'Icon' | 'Items' | 'IfRefused' | 'Enabled'>

/** What is wrong, as people read it; the place is added. */
const words: Partial<Record<DefinitionProblemKey, Text>> = {
  'name missing': text('名称不能为空', 'A name is missing'),
  'name too long': text('名称最多 32 个字', 'The name has more than 32 characters'),
  'device missing': text('请至少选择一条线路', 'Choose at least one line'),
  'too many': text('最多 500 路', 'At most 500 lines'),
  'listed twice': text('线路重复', 'The line is listed twice'),
  'number out of range': text('顺序应为 0 至 999', 'The order is a number from 0 to 999'),
  'device not exists': text('线路不存在', 'The line does not exist'),
  'line not in project': text('线路不属于该项目', 'The line is not in this project'),
  'action unknown': text('该设备没有这个操作', 'This equipment has no such operation'),
}

/** What somebody wants to save, or everything that is wrong with it at once. A line that they do not see does not exist for them. */
export function sceneDraft(actor: Actor, plant: Plant, projectId: number, body: SceneBody): SceneValues & { lines: PlantLine[] } {
  const found = body.Items.map(({ ControllerID, LineNo }) => {
    const line = plant.lineAt(ControllerID, LineNo)
    return line && actor.seesGateway(line.device.gateway) ? line : null
  })
  const problems = sceneProblems({
    name: body.Name,
    items: body.Items.map(({ ControllerID, LineNo, Action, Order }, index) => {
      const line = found[index] ?? null
      return {
        ...{ line: `${ControllerID}/${LineNo}`, action: Action, order: Order },
        known: line && {
          inProject: line.device.gateway.project.id === projectId,
          actions: line.device.family.actions.map(({ key }) => key),
        },
      }
    }),
  })
  if (problems.length > 0) throw wrong(problems, body)
  return {
    name: body.Name.trim(),
    icon: body.Icon,
    ifRefused: body.IfRefused,
    enabled: body.Enabled,
    items: body.Items.flatMap(({ Action, Order }, index) => {
      const line = found[index]
      return line ? [{ lineId: line.id, action: Action, order: Order }] : []
    }),
    lines: found.filter((line) => line !== null),
  }
}

const shownProblems = 3

function wrong(problems: readonly DefinitionProblem[], body: SceneBody): Refusal {
  const worded: Problem[] = problems.map((problem) => ({
    Path: `body.${problem.field ?? ''}`,
    Text: placed(problem, body),
  }))
  const joined = (language: keyof Text, mark: string) => {
    const first = worded.slice(0, shownProblems).map(({ Text }) => Text[language])
    return [...first, ...(worded.length > shownProblems ? ['…'] : [])].join(mark)
  }
  return new Refusal('scene wrong', { problems: { zh: joined('zh', '；'), en: joined('en', '; ') } }, worded)
}

/** With the line that it is about. */
function placed({ key, field }: DefinitionProblem, { Items }: SceneBody): Text {
  const word = words[key] ?? text(key, key)
  const item = Items[Number(/^Items\.(\d+)/.exec(field ?? '')?.[1])]
  if (!item) return word
  const place = `${item.ControllerID} #${item.LineNo}`
  return { zh: `${place}：${word.zh}`, en: `${place}: ${word.en}` }
}
