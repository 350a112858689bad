import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  event: numbered('事件', 'Event'),
} as const

export const actions = {
  'event.acknowledge': text('确认报警', 'Acknowledge alarm'),
} as const

export const refusedCalls = {
  acknowledgeEvent: refused('确认报警', 'Acknowledge alarm'),
  acknowledgeEvents: refused('确认多条报警', 'Acknowledge alarms'),
  acknowledgeMatching: refused('确认全部符合条件的报警', 'Acknowledge all matching alarms'),
} as const

export const refusals = {
  'event not exists': message('事件不存在', 'The event does not exist', 404),
  'more came meanwhile': message(
    '未确认：符合条件的报警现有 {now} 条，与所见的 {expected} 条相差较大，请核对列表后重试',
    'Nothing acknowledged: {now} alarms match now, and you were shown {expected}. Check the list and try again',
    409,
  ),
} as const
