import type { MessageKey, Problem } from '@linewarden/contract'
import { isMessageKey, Refusal, textOf } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { DefinitionProblem, DefinitionProblemKey } from '@linewarden/rules/automation'

/** What a field problem says; those that are not here are messages of the catalogue. */
const texts: Readonly<Partial<Record<DefinitionProblemKey, Text>>> = {
  'name missing': { zh: '名称不能为空', en: 'Enter a name' },
  'name too long': { zh: '名称最多 {most} 个字', en: 'The name has at most {most} characters' },
  'function missing': { zh: '请选择功能', en: 'Choose a function' },
  'type missing': { zh: '请选择类型', en: 'Choose a type' },
  'time missing': { zh: '请填写执行时间', en: 'Enter a time' },
  'period missing': { zh: '请选择周期', en: 'Choose the days' },
  'device missing': { zh: '请选择设备', en: 'Choose a device' },
  'scene missing': { zh: '请选择场景', en: 'Choose a scene' },
  'condition missing': { zh: '请填写条件', en: 'Enter a condition' },
  'action missing': { zh: '请选择动作', en: 'Choose an action' },
  'time wrong': { zh: '时间应为 00:00 至 23:59:59', en: 'A time is 00:00 to 23:59:59' },
  'date wrong': { zh: '日期不存在', en: 'There is no such date' },
  'dates reversed': { zh: '结束日期早于开始日期', en: 'The last date is before the first' },
  'dates overlap': { zh: '与另一例外日期重叠', en: 'The dates overlap another exception' },
  'number out of range': { zh: '应在 {from} 至 {to} 之间', en: 'Must be between {from} and {to}' },
  'public day wrong': { zh: '只有节假日和工作日可以用于电价', en: 'Only holidays and workdays can be of the state' },
  'listed twice': { zh: '重复', en: 'Is there twice' },
}

/** What `too many` counts. */
const counted: Readonly<Record<string, Text>> = {
  timers: { zh: '每个项目的定时', en: 'timers of a project' },
  points: { zh: '执行时间', en: 'times' },
  exceptions: { zh: '例外日期', en: 'exceptions' },
  lines: { zh: '设备', en: 'devices' },
  conditions: { zh: '条件', en: 'conditions' },
  actions: { zh: '动作', en: 'actions' },
  hours: { zh: '生效时段', en: 'active periods' },
}

export function problemText({ key, detail = {} }: DefinitionProblem): Text {
  const facts = worded(detail)
  const own = texts[key]
  if (!own) return isMessageKey(key) ? textOf(key, facts) : { zh: key, en: key }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole))
  return { zh: fill(own.zh), en: fill(own.en) }
}

export const problemPath = ({ field }: DefinitionProblem): string => (field === null ? 'body' : `body.${field}`)

const worded = (detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { what, time } = detail
  return {
    ...detail,
    ...(typeof what === 'string' && { what: counted[what] ?? what }),
    ...(typeof time === 'object' && time !== null && { time: { zh: '日出日落', en: 'by the sun' } }),
  }
}

/** Refuses a definition, all its problems at once; by their own message where all are of one. */
export function refuseProblems(found: readonly DefinitionProblem[]): void {
  const [first] = found
  if (!first) return
  const problems = found.map((each): Problem => ({ Path: problemPath(each), Text: problemText(each) }))
  const own = found.every(({ key }) => key === first.key) && isMessageKey(first.key)
  const key: MessageKey = own ? (first.key as MessageKey) : 'definition wrong'
  throw new Refusal(key, own ? worded(first.detail ?? {}) : { count: found.length }, problems)
}
