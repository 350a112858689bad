import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  hazard: numbered('隐患', 'Hazard'),
} as const

export const actions = {
  'hazard.accept': text('隐患转带病运行', 'Accept hazard until a day'),
  'hazard.expire': text('带病运行到期，隐患重新待处理', 'Accepted days of a hazard are over: open again'),
  'hazard.gone': text('隐患已验证消除', 'Hazard proved to be gone'),
  'hazard.export': text('导出隐患', 'Export hazards'),
} as const

export const refusedCalls = {
  acceptHazard: refused('隐患转带病运行', 'Accept hazard until a day'),
} as const

export const refusals = {
  'hazard not exists': message('隐患不存在', 'The hazard does not exist', 404),
  'too many hazards': message(
    '符合条件的隐患超过 {most} 项，请缩小范围后导出',
    'More than {most} hazards match. Narrow the filter, then export',
    409,
  ),
  'hazard administrator only': message(
    '只有管理员可以批准带病运行，请联系管理员',
    'Only an administrator accepts a hazard. Ask one of them',
    403,
  ),
  'hazard state': message(
    '该隐患现为“{state}”：只有待处理的隐患可以带病运行',
    'The hazard is {state}. Only an open one can be accepted',
    409,
  ),
  'hazard day wrong': message('请选择 {from} 至 {to} 之间的一天', 'Choose a day from {from} to {to}', 400),
} as const
