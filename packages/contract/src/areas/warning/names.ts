import { text } from '../../terms/text.ts'

export const actions = {
  'event.explain': text('标记为正常变化', 'Explained as normal change'),
} as const
