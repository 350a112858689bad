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
} as const

export const refusals = {
  'event not exists': message('事件不存在', 'The event does not exist', 404),
} as const
