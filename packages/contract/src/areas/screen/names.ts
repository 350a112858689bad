import { message } from '../../terms/message.ts'
import { refused, text } from '../../terms/text.ts'

export const actions = {
  'topology.save': text('修改供电接线', 'Change supply topology'),
} as const

export const refusedCalls = {
  saveTopology: refused('修改供电接线', 'Change supply topology'),
} as const

export const refusals = {
  'topology wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} entries are not right', 400),
  'topology source twice': message('电源编号重复，请刷新后重试', 'A source is there twice: reload and try again', 400),
  'topology bus twice': message('同一母线填了两个名称，请只保留一个', 'A bus has two names: keep one', 400),
  'topology not here': message(
    '所选线路或母线已不在本项目，请重新选择',
    'A line or bus is no longer in this project: choose again',
    400,
  ),
  'topology line twice': message('“{line}”重复，请只保留一处', 'There twice: {line}. Keep it once', 400),
  'topology line fed': message(
    '“{line}”由“{feeder}”供电，不能直接接在电源上，也不能作母联；请先更正其供电关系',
    'Fed by {feeder}, {line} hangs on no source and is no tie. Correct what feeds it first',
    400,
  ),
  'topology one bus': message(
    '母联“{line}”两端是同一条母线，请改选一端',
    'Both ends of {line} are one bus: choose another for one end',
    400,
  ),
  'topology tie feeds': message(
    '“{line}”为其他线路供电，不能作母联；请先更正下级线路的供电关系',
    'No tie feeds other lines, as {line} does. Correct what feeds those first',
    400,
  ),
} as const
