import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  healthCheck: numbered('设备体检', 'Health check'),
} as const

export const actions = {
  'healthCheck.start': text('开始设备体检', 'Start health check'),
  'healthCheck.cancel': text('取消设备体检', 'Cancel health check'),
  'healthCheck.export': text('导出设备体检', 'Export health check'),
} as const

export const refusedCalls = {
  startHealthCheck: refused('开始设备体检', 'Start health check'),
  cancelHealthCheck: refused('取消设备体检', 'Cancel health check'),
} as const

export const refusals = {
  'health check not exists': message('体检记录不存在', 'The health check does not exist', 404),
  'exam scope empty': message('所选范围内没有线路或探测器，无法体检', 'There is no line or detector to examine', 409),
  'exam too large': message(
    '所选范围超过 {most} 条线路，请按网关分次体检',
    'There are more than {most} lines. Examine gateway by gateway',
    409,
  ),
  'exam under way': message(
    '所选范围正在体检，请等待完成或先取消',
    'A health check of just these lines is under way. Wait for it, or cancel it first',
    409,
  ),
  'exam none in period': message('本期没有完成的体检', 'No health check of this period was finished', 409),
  'exam without result': message(
    '该次体检没有结果（正在进行、已取消或中断），无法导出；请等待完成或重新体检',
    'This health check has no result, so there is nothing to export. Wait until it is done, or examine again',
    409,
  ),
  'exam over': message('该体检已结束，不能取消', 'This health check is over and cannot be cancelled', 409),
} as const
