import { kind } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  /** What has no id: it has none yet, it is all there is of its kind, or a request named several. */
  nothing: kind('其他', 'Other', 'name'),
} as const

export const actions = {
  'audit.subjects': text('日志条目补记对象', 'Subjects of log entries filled in'),
  /** Whatever else was refused. */
  call: refused('其他操作', 'Another call'),
} as const
