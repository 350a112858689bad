import { message } from '../../terms/message.ts'

export const refusals = {
  'automation run not exists': message('执行记录不存在', 'This run does not exist', 404),
} as const
